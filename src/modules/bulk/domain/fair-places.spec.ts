import { expect, it } from '@jest/globals';
import { FairPlaces } from './fair-places.js';

const revoked: string[] = [];

/** @returns the releases; null where there was no place. */
function take(places: FairPlaces, owner: string, times = 1): ((() => void) | null)[] {
  return Array.from({ length: times }, (_, index) =>
    places.acquire(owner, () => revoked.push(`${owner}${index}`)),
  );
}
const refusedOf = (taken: unknown[]) => taken.filter((each) => each === null).length;
/** What has been revoked since the last call. */
const revokedNow = () => revoked.splice(0);

it('an owner has at most its maximum, and gets another slot after a release', () => {
  const places = new FairPlaces(10, 2);
  const [first, , third] = take(places, 'a', 3);
  expect(third).toBeNull();
  first?.();
  first?.();
  expect(refusedOf(take(places, 'a', 2))).toBe(1);
  expect(revokedNow()).toEqual([]);
});

it('when all slots are in use, an owner without one gets the oldest of the owner with the most', () => {
  const places = new FairPlaces(6, 4);
  take(places, 'a', 2);
  take(places, 'b', 4);
  expect(refusedOf(take(places, 'c'))).toBe(0);
  expect(revokedNow()).toEqual(['b0']);
});

it('takes no slot from an owner that would then have fewer', () => {
  const places = new FairPlaces(3, 3);
  for (const owner of ['a', 'b', 'c']) take(places, owner);
  expect(refusedOf(take(places, 'd'))).toBe(1);
  expect(refusedOf(take(places, 'a'))).toBe(1);
  expect(revokedNow()).toEqual([]);
});

it('owners with repeated requests end with equal numbers, and then take no slots from each other', () => {
  const places = new FairPlaces(200, 10);
  for (let owner = 0; owner < 20; owner++) take(places, `full${owner}`, 10);
  for (let round = 0; round < 20; round++)
    for (let owner = 0; owner < 20; owner++) take(places, `late${owner}`);
  // 20 late owners among 40: five each.
  expect(revokedNow()).toHaveLength(100);
  expect(refusedOf(take(places, 'full0', 10))).toBe(10);
});

it('a revoked slot cannot be released a second time', () => {
  const places = new FairPlaces(2, 2);
  const [first] = take(places, 'a', 2);
  take(places, 'b');
  first?.();
  expect(refusedOf(take(places, 'c'))).toBe(1);
  revokedNow();
});
