/**
 * At hand, or to be waited for. What a process remembers is had at once: on the path that every
 * request takes, waiting for what is there already would cost more than all else that is done.
 */
export type Soon<T> = T | Promise<T>;

/** Goes on with the value: now, when it is at hand. What `next` throws is thrown, or rejected with. */
export function then<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Both of two values: now, when both are at hand. */
export function both<A, B>(one: Soon<A>, other: Soon<B>): Soon<[A, B]> {
  return one instanceof Promise || other instanceof Promise ? Promise.all([one, other]) : [one, other];
}
