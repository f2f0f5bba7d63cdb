import { ACCESS } from './scenes.access.js';
import { READING } from './scenes.reading.js';
import { WRITING } from './scenes.writing.js';

/** What a recording asks a listmonk, in this order. */
export const SCENES = [...READING, ...ACCESS, ...WRITING];
