type Library = typeof import('@nestjs/swagger');
type Decorator =
  | 'ApiAcceptedResponse'
  | 'ApiBody'
  | 'ApiConsumes'
  | 'ApiCreatedResponse'
  | 'ApiExcludeController'
  | 'ApiNoContentResponse'
  | 'ApiOkResponse'
  | 'ApiOperation'
  | 'ApiProduces'
  | 'ApiTags';
type Place = Parameters<ClassDecorator & MethodDecorator>;

const remarks: ((library: Library) => void)[] = [];

/**
 * What routes say of themselves to the OpenAPI document, in the words of `@nestjs/swagger`.
 *
 * It is only kept here: the library that understands it is a fifth of all that a process
 * would load, and most processes are never asked for the document.
 */
export const ApiAcceptedResponse = kept('ApiAcceptedResponse');
export const ApiBody = kept('ApiBody');
export const ApiConsumes = kept('ApiConsumes');
export const ApiCreatedResponse = kept('ApiCreatedResponse');
export const ApiExcludeController = kept('ApiExcludeController');
export const ApiNoContentResponse = kept('ApiNoContentResponse');
export const ApiOkResponse = kept('ApiOkResponse');
export const ApiOperation = kept('ApiOperation');
export const ApiProduces = kept('ApiProduces');
export const ApiTags = kept('ApiTags');

/** Tells the library what was kept, once. */
export function applyDecorators(library: Library): void {
  for (const remark of remarks.splice(0)) remark(library);
}

function kept<Name extends Decorator>(name: Name): Library[Name] {
  const decorator =
    (...facts: unknown[]) =>
    (...place: Place) =>
      void remarks.push((library) => {
        const make = library[name] as (...facts: unknown[]) => (...place: Place) => void;
        make(...facts)(...place);
      });
  return decorator as unknown as Library[Name];
}
