import { lazyRouteComponent } from '@tanstack/react-router';
import { PageNotLoaded } from './layout/page-error';

/** A style sheet is requested once only, so that a page would be shown without it after a failure. */
let mustReload = false;

/**
 * Loaded when it is opened, or when the pointer is on its link. The error is our own: with that of the import
 * the router reloads the tab, also while the service cannot be reached.
 */
export const lazyPage = <Module extends object, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) =>
  lazyRouteComponent(async () => {
    if (mustReload) throw new PageNotLoaded('An earlier page could not be loaded');
    try {
      return await load();
    } catch (cause) {
      mustReload = true;
      throw new PageNotLoaded('The page could not be loaded', { cause });
    }
  }, name);
