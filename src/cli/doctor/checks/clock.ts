import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { formatRfc3339 } from '../../../base/index.ts'
import { ok, problem, warning, type Check } from '../check.ts'

/** Time of the first release. A clock that shows an earlier time has never been set. */
const FIRST_RELEASE_NS = BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n

/** Tolerated clock difference to a file server, ms. Synchronised clocks differ by less. */
const TOLERANCE_MS = 60_000

const FIX = 'Set the clock, and keep it set: `timedatectl set-ntp true`, or chrony.'

/**
 * Status folder of systemd-timesyncd. It exists while the service runs; its file `synchronized` appears after contact
 * with a time server.
 */
const TIMESYNC = '/run/systemd/timesync'

/** Returns the time of the latest change of a log or other file at the top of the data folder, Unix ms. */
function lastChangeMs(folder: string): number {
  const names = existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder) : []
  return Math.max(0, ...names.map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0))
}

export const clock: Check = {
  name: 'clock',
  find: ({ nowNs, options: { data } }) => {
    const now = formatRfc3339((nowNs / 1_000_000_000n) * 1_000_000_000n, true)
    if (nowNs < FIRST_RELEASE_NS)
      return [problem(`The clock says ${now}, a time before the first release of Sluice.`, FIX)]
    const behindMs = data === undefined ? 0 : lastChangeMs(data) - Number(nowNs / 1_000_000n)
    if (behindMs > TOLERANCE_MS)
      return [
        problem(
          `The clock says ${now}, ${Math.round(behindMs / 1000)} s before the last change of the data folder.`,
          `${FIX} Retention and time ranges such as _time:5m count from it.`,
        ),
      ]
    if (existsSync(TIMESYNC) && !existsSync(`${TIMESYNC}/synchronized`))
      return [warning(`The clock says ${now}; systemd-timesyncd has not reached a time server yet.`, FIX)]
    return [ok(`The clock says ${now}.`)]
  },
}
