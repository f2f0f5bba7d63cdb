import { Injectable } from '@nestjs/common';
import { ListErasureService } from '../../../lists/bulk/jobs/list-erasure.service.js';
import { SchedulesService } from '../../../lists/schedules/schedules.service.js';
import {
  UserErasureService,
  type ErasedUsers,
  type OwnedTeams,
} from '../../../identity/teams/users/user-erasure.service.js';
import { AddressFactsService } from '../../../verification/verification/facts/address-facts.service.js';

export interface ErasedPerson extends ErasedUsers {
  /** Deleted records about the address. */
  facts: number;
  outcomes: number;
  deferredChecks: number;
  /** Deleted results of schedules. */
  scheduled: number;
  /** Deleted rows of lists. */
  rows: number;
  /** Open bulk jobs that contain the address: nothing was deleted from them. */
  runningJobs: string[];
}

/** Erases a person, found by their address, as a user and as an address that teams have verified. */
@Injectable()
export class PersonErasureService {
  constructor(
    private readonly users: UserErasureService,
    private readonly facts: AddressFactsService,
    private readonly lists: ListErasureService,
    private readonly schedules: SchedulesService,
  ) {}

  /**
   * Each step commits on its own, and the call can be repeated.
   *
   * @param deleteTeams whether to delete the teams that the person owns.
   * @returns the teams that the person owns when these are not to be deleted: nothing was erased then.
   */
  async erase(email: string, deleteTeams: boolean): Promise<ErasedPerson | OwnedTeams> {
    // First, because it may refuse.
    const users = await this.users.erase(email, deleteTeams);
    if ('owned' in users) return users;
    const records = await this.facts.erase(email);
    const scheduled = await this.schedules.eraseAddress(email);
    return { ...users, ...records, scheduled, ...(await this.lists.eraseAddress(email)) };
  }
}
