import { Budget, always, nowhere, seededRandom, type JsonValue, type Random } from '../../base/index.ts'
import { matchingRows } from '../../backends/columnar/index.ts'
import { hasBit, type StoredRow } from '../../data/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import { combineScopes } from '../../policy/scope/index.ts'
import { wholeScan, type Expr, type LogicalPlan } from '../../plan/index.ts'
import { createMemoryStore, hasJsonForm, sequenceAt, standardCatalog, type MemoryStore } from '../../store/index.ts'
import { baseOf, fuzzRows } from '../dataset.ts'
import { putOnDisk } from '../on-disk.ts'
import { defineFuzzer, type Fuzzer } from '../runner/fuzzer.ts'
import { fewerFields, fewerRows } from '../runner/shrink-by.ts'
import { rowsOf, rowsToJson } from '../stored-rows.ts'
import { drawScopes, type PolicyJson } from './policies.ts'
import { definitionOf, passing } from './visible.ts'

const TABLE = 'logs'
const MAX_ROWS = 24
const CASES_PER_BLOCK = 50
/**
 * Maximum number of columns of the table under test. The default is much larger; with this limit, most fields of a case
 * get no column.
 */
const MOST_FIELDS = 6

/** Rows of a table with few columns, and scopes over them. */
interface LimitCase {
  readonly rows: readonly StoredRow[]
  readonly mostFields: number
  readonly isOnDisk: boolean
  readonly stored: readonly PolicyJson[]
}

interface Prepared {
  readonly given: LimitCase
  readonly store: MemoryStore
}

function storeOf({ rows, mostFields, isOnDisk }: Omit<LimitCase, 'stored'>): MemoryStore {
  const store = createMemoryStore(standardCatalog, { mostFields })
  const table = store.table(TABLE)
  const cut = Math.floor(rows.length / 2)
  table.writer.appendRows(rows.slice(0, cut))
  table.seal()
  if (isOnDisk) putOnDisk(table)
  table.writer.appendRows(rows.slice(cut))
  return store
}

/** Draws rows whose fields mostly have undeclared names, since declared fields always have columns. */
function drawRows(random: Random): readonly StoredRow[] {
  return fuzzRows(random, MAX_ROWS, baseOf(random)).map((stored, sequence) => ({
    ...stored,
    sequence,
    // The column store keeps times, infinities and NaN as strings in fields without a column; the row model does not.
    row: new Map(
      [...stored.row]
        .filter(([name, value]) => name === '_time' || hasJsonForm(value))
        .map(([name, value]) => [name === '_time' || name === 'level' ? name : `x.${name}`, value]),
    ),
  }))
}

/** Returns the sequence numbers of the rows that match, as the column store finds them. */
function found(store: MemoryStore, plan: LogicalPlan): ReadonlySet<number> {
  const budget = new Budget({ memoryBytes: 2 ** 28, timeoutMs: 60_000, scanRows: Number.MAX_SAFE_INTEGER }, () => 0)
  const query = { budget, nowNs: 0n, range: always, batchRows: 10 }
  const segments = store.table(TABLE).view.snapshot()
  const { tables } = store
  const sequences = new Set<number>()
  const rows = matchingRows({ plan, segments, tables, functions: standardFunctions, query })
  for (const { segment, rows: mask } of rows) {
    if (mask === undefined) continue
    for (let row = 0; row < segment.rowCount; row++) if (hasBit(mask, row)) sequences.add(sequenceAt(segment, row))
  }
  return sequences
}

function plansOf(predicate: Expr): Readonly<Record<string, LogicalPlan>> {
  const scan = wholeScan(definitionOf(TABLE))
  return {
    'a guard': { ...scan, guard: predicate },
    'a deletion': {
      kind: 'filter',
      input: scan,
      predicate,
      origin: nowhere,
    },
    'a deletion by the scan': { ...scan, predicate },
  }
}

async function check({ given, store }: Prepared): Promise<string | undefined> {
  const scope = combineScopes(given.stored, { catalog: standardCatalog, functions: standardFunctions })
  const predicate = scope?.(TABLE)
  if (predicate === undefined) return undefined
  const passes = await passing(predicate, definitionOf(TABLE), given.rows)
  for (const [name, plan] of Object.entries(plansOf(predicate))) {
    const rows = found(store, plan)
    const wrong = passes.findIndex((isIn, sequence) => isIn !== rows.has(sequence))
    if (wrong !== -1) return `${name} ${passes[wrong] === true ? 'misses' : 'finds'} row ${wrong}`
  }
  return undefined
}

/**
 * Fuzzer of scopes over fields beyond the maximum number of columns. Guards and deletions must match the same rows as
 * in the row model, which has no such limit.
 */
export function fieldLimitFuzzer(): Fuzzer {
  const prepare = (given: LimitCase): Prepared => ({ given, store: storeOf(given) })
  return defineFuzzer<LimitCase, Prepared>({
    name: 'field-limit',
    casesPerBlock: CASES_PER_BLOCK,
    laws: [{ law: { name: 'field-limit-hides-nothing', check }, share: 1 }],
    block: (block) => {
      const random = seededRandom(block ^ 0x11317)
      const rows = drawRows(random)
      const data = { rows, mostFields: random.below(MOST_FIELDS), isOnDisk: random.next() < 0.5 }
      const store = storeOf(data)
      return {
        prepare: (given) => ({ given, store }),
        draw: (own) => ({ given: { ...data, stored: drawScopes(own, rows, 'logs') }, uses: new Set(['field-limit']) }),
      }
    },
    ground: () => ({ prepare }),
    show: ({ stored, mostFields }) => `${JSON.stringify(stored)} with ${mostFields} columns`,
    *smaller(given) {
      for (const rows of [...fewerRows(given.rows), ...fewerFields(given.rows)])
        yield { ...given, rows: rows.map((row, sequence) => ({ ...row, sequence })) }
      for (let i = 0; given.stored.length > 1 && i < given.stored.length; i++)
        yield { ...given, stored: given.stored.toSpliced(i, 1) }
    },
    write: ({ rows, ...given }) => ({ ...given, rows: rowsToJson(rows) }),
    read: (json) => {
      const { rows, ...given } = json as unknown as Omit<LimitCase, 'rows'> & { readonly rows: JsonValue }
      return { ...given, rows: rowsOf(rows) }
    },
  })
}
