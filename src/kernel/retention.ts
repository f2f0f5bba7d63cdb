/** What was charged can be fetched for a day, also if the team or tier has a retention of 0 days. */
export const MIN_RESULT_DAYS = 1;
