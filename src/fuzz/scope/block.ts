import { seededRandom, type Random } from '../../base/index.ts'
import type { StoredRow } from '../../data/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import type { DataScope } from '../../policy/index.ts'
import { combineScopes } from '../../policy/scope/index.ts'
import { standardCatalog } from '../../store/index.ts'
import { baseOf, fuzzRows } from '../dataset.ts'
import { rowKinds, type RowKind } from './kinds.ts'
import { drawScopes, type Json } from './policies.ts'
import { scopeSubject, type ScopeSubject } from './subject.ts'
import { passing } from './visible.ts'

const MAX_ROWS = 40
/** Blocks whose policy may hide nothing or everything. */
const ANY_POLICY_SHARE = 0.08
const DRAWS = 14

/** What one caller may see of a data set, worked out by the row model. */
export interface Caller {
  /** The policies' scopes, as they are stored. */
  readonly stored: readonly Json[]
  readonly scope: DataScope
  /** By table, whether each row is visible. */
  readonly isVisible: ReadonlyMap<string, readonly boolean[]>
  /** The visible rows and nothing else, in engines of their own. */
  readonly visible: ScopeSubject
}

/** A data set in engines that know everything, and two callers with policies. Cases share it. */
export interface Block {
  readonly kind: RowKind
  /** A second kind that queries may join with or add. */
  readonly other: RowKind
  readonly baseNs: bigint
  readonly tables: ReadonlyMap<string, readonly StoredRow[]>
  readonly whole: ScopeSubject
  readonly callers: readonly [Caller, Caller]
  close(): Promise<void>
}

function rowsOfKind(random: Random, { names }: RowKind, maxRows: number, baseNs: bigint): readonly StoredRow[] {
  return fuzzRows(random, maxRows, baseNs).map(({ timeNs, sequence, row }) => ({
    timeNs,
    sequence,
    row: new Map([...row].map(([name, value]) => [names.get(name) ?? name, value])),
  }))
}

function shareOf(passes: readonly boolean[]): number {
  return passes.length === 0 ? 0 : passes.filter((isIn) => !isIn).length / passes.length
}

async function drawCaller(random: Random, kind: RowKind, tables: Block['tables']): Promise<Caller> {
  const rows = tables.get(kind.table) ?? []
  const takesAny = random.next() < ANY_POLICY_SHARE
  for (let draw = 1; ; draw++) {
    const stored = drawScopes(random, rows, kind.domain)
    const scope = combineScopes(stored, { catalog: standardCatalog, functions: standardFunctions })
    const guard = scope?.(kind.table)
    const passes = await passing(guard, kind.table, rows)
    const hidden = shareOf(passes)
    const isMixed = hidden >= 0.15 && hidden <= 0.85
    if (scope === undefined || !(isMixed || takesAny || draw >= DRAWS)) {
      if (draw < DRAWS * 4) continue
      throw new Error('no policy restricts anything')
    }
    const isVisible = new Map([[kind.table, passes]])
    for (const [table, others] of tables) {
      if (table !== kind.table) isVisible.set(table, await passing(scope(table), table, others))
    }
    const left = [...tables].map(
      ([table, all]) => [table, all.filter((_, i) => isVisible.get(table)?.[i] === true)] as const,
    )
    return { stored, scope, isVisible, visible: await scopeSubject(new Map(left)) }
  }
}

export async function makeBlock(seed: number, kind: RowKind): Promise<Block> {
  const random = seededRandom(seed)
  const baseNs = baseOf(random)
  const other = random.pick(rowKinds.filter((each) => each !== kind))
  const tables = new Map([
    [kind.table, rowsOfKind(random, kind, MAX_ROWS, baseNs)],
    [other.table, rowsOfKind(random, other, 14, baseNs)],
  ])
  const whole = await scopeSubject(tables)
  const callers = [await drawCaller(random, kind, tables), await drawCaller(random, kind, tables)] as const
  return {
    kind,
    other,
    baseNs,
    tables,
    whole,
    callers,
    close: async () => {
      for (const subject of [whole, ...callers.map(({ visible }) => visible)]) await subject.close()
    },
  }
}
