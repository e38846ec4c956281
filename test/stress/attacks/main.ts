import { setTimeout as sleep } from 'node:timers/promises'
import { StressMisuse, type StressRun } from '../run.ts'
import { attacks } from './list/index.ts'
import { namesIn, type Attack } from './attack.ts'
import { catalogKinds, type CatalogKind } from './catalogs.ts'
import { runAttacks, type AttackResult } from './run.ts'

/** Number of log rows in the service. */
const ROWS = 200_000
/** Time limit of a query, in milliseconds. */
const TIMEOUT_MS = 2000
const MIB = 2 ** 20
/** Resident size in bytes above which the witness process kills the service. */
const CEILING_BYTES = 2500 * MIB
/** No attack at all. It gives the baseline for the attacks over the same rows. */
const calm: Attack = { name: '(nothing)', run: ({ signal }) => sleep(2000, undefined, { signal }) }
/** Memory in MiB that a query may add: its limit of 256 MiB plus a quarter, and 64 MiB. */
const ROOM_MIB = 256 * 1.25 + 64
/** Memory in MiB that the database of a catalog may add: 1 GiB plus a quarter. */
const DATABASE_MIB = 1024 * 1.25

const columns = [
  ['attack', 32],
  ['health p99', 11],
  ['longest', 9],
  ['light p99', 10],
  ['longest', 9],
  ['resources', 10],
  ['late', 6],
  ['RSS from', 9],
  ['peak MiB', 9],
  ['CPU after', 10],
  ['', 16],
] as const

const ms = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0))
const mib = (bytes: number): string => (bytes / MIB).toFixed(0)

function faultsOf(result: AttackResult): readonly string[] {
  const statuses = [...result.outcomes.keys()]
  return [
    ...(result.isAlive ? [] : [result.wasEnded ? 'ENDED' : 'DIED']),
    ...(result.isAlive && result.recoveryMs === Infinity ? ['FROZEN'] : []),
    ...(statuses.some((status) => /^50[02]/.test(status)) ? ['500'] : []),
  ]
}

/**
 * Limits in milliseconds: for the light caller's wait and for a resource request's wait, both beyond the baseline, and
 * for answers after their deadline.
 */
const LIGHT_MS = 50
const RESOURCE_MS = 20
const LATE_MS = 250
/**
 * If the witness process itself runs this many milliseconds late, other processes use the machine. Then the waits say
 * nothing about the service.
 */
const BUSY_MS = 5

const calmOnes = new Map<CatalogKind | undefined, AttackResult>()

function missesOf(result: AttackResult): readonly string[] {
  const { health, light, resource, lateMs, ownLateMs, peakBytes, startBytes, refused } = result
  const own = calmOnes.get(result.catalog)
  const roomMiB = result.catalog === undefined ? ROOM_MIB : ROOM_MIB + DATABASE_MIB
  const waits = [
    ...(health.p99Ms > 20 || health.longestMs > 100 ? ['health'] : []),
    ...(light.p99Ms > (own?.light.p99Ms ?? 0) + LIGHT_MS ? ['light'] : []),
    ...(resource.p99Ms > (own?.resource.p99Ms ?? 0) + RESOURCE_MS ? ['resources'] : []),
    ...(lateMs > LATE_MS ? ['late'] : []),
  ]
  return [
    ...(ownLateMs > BUSY_MS ? waits.map((miss) => `(${miss})`) : waits),
    ...((peakBytes - startBytes) / MIB > roomMiB ? ['memory'] : []),
    ...(refused.length > 0 ? ['refused'] : []),
  ]
}

const isMiss = (miss: string): boolean => !miss.startsWith('(')

function line(result: AttackResult): string {
  const cells = [
    result.name,
    ms(result.health.p99Ms),
    ms(result.health.longestMs),
    ms(result.light.p99Ms),
    ms(result.light.longestMs),
    ms(result.resource.p99Ms),
    ms(result.lateMs),
    mib(result.startBytes),
    mib(result.peakBytes),
    ms(result.processorMsAfter),
    [...faultsOf(result), ...missesOf(result)].join(' ') || 'ok',
  ]
  const statuses = [...result.outcomes].map(([status, count]) => (count === 1 ? status : `${count}x ${status}`))
  const refused = result.refused.length === 0 ? '' : `; light caller: ${result.refused.join(' ')}`
  const padded = cells.map((cell, i) => (i === 0 ? cell.padEnd(columns[0][1]) : cell.padStart(columns[i]?.[1] ?? 0)))
  return `${padded.join(' ')}  ${statuses.join(', ')}${refused}`
}

/**
 * A client with one key attacks a service with each attack of `list/` in turn; the attacks share the run's seconds.
 * `--only NAME,NAME` selects attacks by the start of their names, `--workers N` sets the worker threads. `--fresh`
 * starts a new service for each attack, `--packed` runs the output of `npm run build`. With `--check` the run fails if
 * a limit is missed; README.md lists the limits.
 */
export const stress: StressRun = {
  seconds: 60,
  options: { only: 'value', workers: 'value', fresh: 'flag', packed: 'flag', check: 'flag' },
  async run({ seconds, values, flags, print }) {
    const only = namesIn(values.get('only') ?? '')
    const workers = values.get('workers')
    const chosen = [undefined, ...catalogKinds].flatMap((catalog) => {
      const ofKind = attacks.filter(
        (attack) => attack.catalog === catalog && only.some((part) => attack.name.startsWith(part)),
      )
      return ofKind.length === 0 ? [] : [{ ...calm, ...(catalog === undefined ? {} : { catalog }) }, ...ofKind]
    })
    if (chosen.length === 0) throw new StressMisuse('--only names no attack')
    print(
      `${columns.map(([name, width], i) => (i === 0 ? name.padEnd(width) : name.padStart(width))).join(' ')}  statuses`,
    )
    const results = await runAttacks({
      attacks: chosen,
      rows: ROWS,
      attackMs: (seconds * 1000) / Math.max(chosen.length, 10),
      timeoutMs: TIMEOUT_MS,
      serving: workers === undefined ? [] : ['--workers', workers],
      ceilingBytes: CEILING_BYTES,
      isFresh: flags.has('fresh'),
      isPacked: flags.has('packed'),
      onResult: (result) => {
        if (!calmOnes.has(result.catalog)) calmOnes.set(result.catalog, result)
        print(line(result))
      },
    })
    const faulty = results.filter((result) => faultsOf(result).length > 0)
    const missing = results.filter((result) => missesOf(result).some(isMiss))
    print(
      `\n${results.length} attacks: ${faulty.length} with a death, a freeze or a 500; ${missing.length} beyond a bound of time or memory`,
    )
    const busy = results.filter(({ ownLateMs }) => ownLateMs > BUSY_MS).length
    if (busy > 0) print(`The machine was busy during ${busy} of them: values in brackets are not judged.`)
    return faulty.length > 0 || (flags.has('check') && missing.length > 0) ? 1 : 0
  },
}
