/** As `applyDecorators` of NestJS, without loading NestJS, which `rcpt doctor` would wait 200 ms for. */
export function composeDecorators(...decorators: PropertyDecorator[]): PropertyDecorator {
  return (target, property) => decorators.forEach((decorate) => decorate(target, property));
}
