// The compiler emits the types of constructor parameters only if it is loaded before the class.
import 'reflect-metadata';

/**
 * Lets Nest inject constructor parameters, which needs only the types that the compiler emits for a class
 * with a decorator. The engine uses it instead of the one of Nest, so that its library does not load Nest.
 */
export const Injectable = (): ClassDecorator => () => undefined;
