// Node loads this file in each worker (`--import`): it compiles TypeScript when a module is loaded.
import { register } from 'node:module';

register('./typescript.hooks.mjs', import.meta.url);
