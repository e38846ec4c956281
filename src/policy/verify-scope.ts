import { InvariantError } from '../base/index.ts'
import type { Expr, LabelPredicate } from '../plan/index.ts'

/** A function that returns the expected guard of a table; `undefined` restricts nothing. */
type Wanted = (table: string) => Expr | undefined

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** True if two values are deeply equal except for their origins. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (!isRecord(a) || !isRecord(b) || Array.isArray(a) !== Array.isArray(b)) return false
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  names.delete('origin')
  for (const name of names) if (!isSame(a[name], b[name])) return false
  return true
}

/** True if a guard equals the expected one, or is an AND that contains it. Then it passes no other rows. */
function holds(guard: unknown, wanted: unknown): boolean {
  if (isSame(guard, wanted)) return true
  return (
    isRecord(guard) &&
    guard['kind'] === 'and' &&
    Array.isArray(guard['args']) &&
    guard['args'].some((arg) => holds(arg, wanted))
  )
}

/**
 * Finds every object with this `kind`, at any depth. It visits all members and uses no traversal of plans: a bug in a
 * traversal must not hide a scan from this check.
 */
function findAll(root: unknown, kind: string): readonly Readonly<Record<string, unknown>>[] {
  const found: Readonly<Record<string, unknown>>[] = []
  const seen = new Set<object>()
  const pending: unknown[] = [root]
  while (pending.length > 0) {
    const value = pending.pop()
    if (!isRecord(value) || seen.has(value)) continue
    seen.add(value)
    if (ArrayBuffer.isView(value)) continue
    if (value instanceof Map) for (const entry of value) pending.push(entry[0], entry[1])
    else if (value instanceof Set) pending.push(...value)
    else pending.push(...Object.values(value))
    if (value['kind'] === kind) found.push(value)
  }
  return found
}

/**
 * Proves that every scan of a plan has the caller's guard, also in joins, unions, nested sources, windows and
 * subqueries. `testedAbove` has the conjuncts of the guard that are tested above the scan; then the scan must be the
 * whole plan. Returns the number of scans. Throws InvariantError, which callers never see.
 */
export function verifyScope(plan: object, wanted: Wanted, testedAbove: readonly Expr[] = []): number {
  const scans = findAll(plan, 'scan')
  for (const scan of scans) {
    checkGuard(scan['table'], scan['guard'], wanted)
    const left = scan['guardAbove']
    if (left === undefined) continue
    const isTested = Array.isArray(left) && left.every((part) => testedAbove.some((tested) => isSame(tested, part)))
    if (scan !== plan || !isTested)
      throw new InvariantError(`a part of the guard of ${String(scan['table'])} is left out`)
  }
  return scans.length
}

function checkGuard(table: unknown, guard: unknown, wanted: Wanted): void {
  if (typeof table !== 'string') throw new InvariantError('a scan of no table')
  const allowed = wanted(table)
  if (allowed !== undefined && !holds(guard, allowed)) throw new InvariantError(`a scan of ${table} without its guard`)
}

/**
 * Proves that the guards in a compiled statement are the caller's. `found` has the guard of each scan, as the SQL
 * backend extracted it. Throws InvariantError.
 */
export function verifyFoundGuards(
  found: ReadonlyMap<{ readonly table: string }, Expr | undefined>,
  wanted: Wanted,
): void {
  for (const [{ table }, guard] of found) checkGuard(table, guard, wanted)
}

/**
 * Proves that every selector of a metric plan has the caller's guard, and returns the number of selectors. Throws
 * InvariantError.
 */
export function verifySeriesScope(plan: object, wanted: LabelPredicate): number {
  const selects = findAll(plan, 'series-select')
  for (const { guard } of selects) {
    if (!isSame(guard, wanted)) throw new InvariantError('a metric selector without its guard')
  }
  return selects.length
}
