import { seededRandom, type Random } from '../../base/index.ts'
import type { StoredRow } from '../../data/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import type { DataScope } from '../../policy/index.ts'
import { combineScopes } from '../../policy/scope/index.ts'
import { standardCatalog } from '../../store/index.ts'
import { baseOf, fuzzRows } from '../dataset.ts'
import { rowKinds, type RowKind } from './kinds.ts'
import { drawScopes, type PolicyJson } from './policies.ts'
import { scopeSubject, type ScopeSubject, type SubjectTables } from './subject.ts'
import { definitionOf, passing } from './visible.ts'

/**
 * Maximum number of rows of a block. Statistics that cover only the first rows of a table then cover nearly all rows.
 */
const MAX_BLOCK_ROWS = 40
/** Share of blocks whose policy may hide no row or all rows. */
const ANY_POLICY_SHARE = 0.08
const DRAWS = 14

/** A caller with the rows that policies allow it to see, as the row model computes them. */
export interface ScopeCaller {
  /** Data scopes of the caller's policies in stored form. */
  readonly stored: readonly PolicyJson[]
  readonly scope: DataScope
  /** For each table, whether each row is visible. */
  readonly isVisible: ReadonlyMap<string, readonly boolean[]>
  /** Only the visible rows. */
  readonly rows: SubjectTables
  /** Engines that hold only the rows that the caller may see. */
  readonly visible: ScopeSubject
}

/** A data set in engines that hold all rows, and two callers with policies. All cases of a block share it. */
export interface ScopeBlock {
  readonly kind: RowKind
  /** A second kind of rows, which queries may join or unite with the first. */
  readonly other: RowKind
  readonly baseNs: bigint
  readonly tables: SubjectTables
  readonly whole: ScopeSubject
  readonly callers: readonly [ScopeCaller, ScopeCaller]
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

/** A data set and the policies of two callers, as they are drawn and stored. */
export interface BlockData extends Pick<ScopeBlock, 'kind' | 'other' | 'baseNs' | 'tables'> {
  readonly stored: readonly [readonly PolicyJson[], readonly PolicyJson[]]
}

async function drawStored(random: Random, kind: RowKind, tables: ScopeBlock['tables']): Promise<readonly PolicyJson[]> {
  const rows = tables.get(kind.table) ?? []
  const takesAny = random.next() < ANY_POLICY_SHARE
  for (let draw = 1; draw < DRAWS * 4; draw++) {
    const stored = drawScopes(random, rows, kind.domain)
    const scope = combineScopes(stored, { catalog: standardCatalog, functions: standardFunctions })
    if (scope === undefined) continue
    const hidden = shareOf(await passing(scope(kind.table), definitionOf(kind.table), rows))
    if (takesAny || draw >= DRAWS || (hidden >= 0.15 && hidden <= 0.85)) return stored
  }
  throw new Error('no policy restricts anything')
}

export async function drawBlock(seed: number, kind: RowKind): Promise<BlockData> {
  const random = seededRandom(seed)
  const baseNs = baseOf(random)
  const other = random.pick(rowKinds.filter((each) => each !== kind))
  const tables = new Map([
    [kind.table, rowsOfKind(random, kind, MAX_BLOCK_ROWS, baseNs)],
    [other.table, rowsOfKind(random, other, 14, baseNs)],
  ])
  const stored = [await drawStored(random, kind, tables), await drawStored(random, kind, tables)] as const
  return { kind, other, baseNs, tables, stored }
}

/** Computes the rows that a caller sees. Throws Error if the policies restrict nothing. */
async function callerOf(
  stored: readonly PolicyJson[],
  tables: ScopeBlock['tables'],
  isReplica: boolean,
): Promise<ScopeCaller> {
  const scope = combineScopes(stored, { catalog: standardCatalog, functions: standardFunctions })
  if (scope === undefined) throw new Error('the policies restrict nothing')
  const isVisible = new Map<string, readonly boolean[]>()
  const left = new Map<string, readonly StoredRow[]>()
  for (const [table, rows] of tables) {
    const passes = await passing(scope(table), definitionOf(table), rows)
    isVisible.set(table, passes)
    const seen = rows.filter((_, i) => passes[i] === true)
    // A second store has only the visible rows, as if the hidden ones had never existed.
    left.set(
      table,
      seen.map((row, sequence) => ({ ...row, sequence })),
    )
  }
  return { stored, scope, isVisible, rows: left, visible: await scopeSubject(left, isReplica) }
}

export async function openBlock({ stored, ...data }: BlockData): Promise<ScopeBlock> {
  const { tables } = data
  // Two of three blocks are read through a replica, as worker threads read. In half of them, only one of the two sides
  // uses the replica.
  const turn = (tables.get(data.kind.table)?.length ?? 0) % 3
  const whole = await scopeSubject(tables, turn > 0)
  const callers = [await callerOf(stored[0], tables, turn > 1), await callerOf(stored[1], tables, turn > 1)] as const
  return {
    ...data,
    whole,
    callers,
    close: async () => {
      for (const subject of [whole, ...callers.map(({ visible }) => visible)]) await subject.close()
    },
  }
}

export async function makeBlock(seed: number, kind: RowKind): Promise<ScopeBlock> {
  return openBlock(await drawBlock(seed, kind))
}
