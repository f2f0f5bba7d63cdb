/** Like `applyDecorators` of NestJS, but without loading NestJS, which takes 200 ms: `rcpt doctor` does not need it. */
export function composeDecorators(...decorators: PropertyDecorator[]): PropertyDecorator {
  return (target, property) => decorators.forEach((decorate) => decorate(target, property));
}
