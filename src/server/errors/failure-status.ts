import type { ResourceFailure } from '../../resources/index.ts'

/** HTTP status of each failure of the resources module. */
export const FAILURE_STATUS: { readonly [K in ResourceFailure]: number } = {
  'bad-input': 400,
  'not-found': 404,
  conflict: 409,
  forbidden: 403,
  'does-not-compile': 422,
  'no-space': 507,
  unavailable: 503,
}
