import { expect, it } from '@jest/globals';
import { RevocableSlots } from './revocable-slots.js';

const revoked: string[] = [];

/** @returns the releases; null where there was no slot. */
function take(slots: RevocableSlots, owner: string, times = 1): ((() => void) | null)[] {
  return Array.from({ length: times }, (_, index) =>
    slots.acquire(owner, () => revoked.push(`${owner}${index}`)),
  );
}
const refusedOf = (taken: unknown[]) => taken.filter((item) => item === null).length;
/** What has been revoked since the last call. */
const revokedNow = () => revoked.splice(0);

it('an owner has at most its maximum, and gets another slot after a release', () => {
  const slots = new RevocableSlots(10, 2);
  const [first, , third] = take(slots, 'a', 3);
  expect(third).toBeNull();
  first?.();
  first?.();
  expect(refusedOf(take(slots, 'a', 2))).toBe(1);
  expect(revokedNow()).toEqual([]);
});

it('when all slots are in use, an owner without one gets the oldest of the owner with the most', () => {
  const slots = new RevocableSlots(6, 4);
  take(slots, 'a', 2);
  take(slots, 'b', 4);
  expect(refusedOf(take(slots, 'c'))).toBe(0);
  expect(revokedNow()).toEqual(['b0']);
});

it('takes no slot from an owner that would then have fewer', () => {
  const slots = new RevocableSlots(3, 3);
  for (const owner of ['a', 'b', 'c']) take(slots, owner);
  expect(refusedOf(take(slots, 'd'))).toBe(1);
  expect(refusedOf(take(slots, 'a'))).toBe(1);
  expect(revokedNow()).toEqual([]);
});

it('owners with repeated requests end with equal numbers, and then take no slots from each other', () => {
  const slots = new RevocableSlots(200, 10);
  for (let owner = 0; owner < 20; owner++) take(slots, `full${owner}`, 10);
  for (let round = 0; round < 20; round++)
    for (let owner = 0; owner < 20; owner++) take(slots, `late${owner}`);
  // 20 late owners among 40: five each.
  expect(revokedNow()).toHaveLength(100);
  expect(refusedOf(take(slots, 'full0', 10))).toBe(10);
});

it('a revoked slot cannot be released a second time', () => {
  const slots = new RevocableSlots(2, 2);
  const [first] = take(slots, 'a', 2);
  take(slots, 'b');
  first?.();
  expect(refusedOf(take(slots, 'c'))).toBe(1);
  revokedNow();
});
