import { runWithBudget } from '../../base/index.ts'
import { batchOfRows, field, type RecordBatch, type Row, type Schema, type StoredRow } from '../../data/index.ts'
import type { Functions } from '../../functions/index.ts'
import {
  inputs,
  opsOf,
  schemaOf,
  visit,
  type ExplainMeasure,
  type ExplainTree,
  type LogicalPlan,
} from '../../plan/index.ts'
import type { Acceptance, Backend, Prepared, QueryContext } from '../backend.ts'
import { canEvaluate, evaluate } from './evaluate.ts'
import { compareCharacters } from './order.ts'

/** Returns the schema of an answer with whole rows: declared fields, then the others by code point of their names. */
function answerSchema(schema: Schema, rows: readonly Row[]): Schema {
  if (!schema.isOpen) return schema
  const declared = new Set(schema.fields.map((f) => f.name))
  const others = new Set<string>()
  for (const row of rows) for (const [name, value] of row) if (value !== null && !declared.has(name)) others.add(name)
  return {
    ...schema,
    fields: [...schema.fields, ...[...others].sort(compareCharacters).map((name) => field(name, 'any', 'dynamic'))],
  }
}

function withoutMissing(row: Row): Row {
  return new Map([...row].filter(([, value]) => value !== null))
}

class RowsPrepared implements Prepared {
  readonly schema: Schema
  readonly #plan: LogicalPlan
  readonly #tables: ReadonlyMap<string, readonly StoredRow[]>
  readonly #functions: Functions
  readonly #context: QueryContext
  #measures = new Map<LogicalPlan, ExplainMeasure>()

  constructor(
    plan: LogicalPlan,
    tables: ReadonlyMap<string, readonly StoredRow[]>,
    functions: Functions,
    context: QueryContext,
  ) {
    this.schema = schemaOf(plan)
    this.#plan = plan
    this.#tables = tables
    this.#functions = functions
    this.#context = context
  }

  explain(): ExplainTree {
    const tree = (plan: LogicalPlan): ExplainTree => ({
      kind: plan.kind,
      label: opsOf(plan).label(plan),
      owner: 'rows',
      notes: [],
      estimateRows: undefined,
      measured: this.#measures.get(plan),
      inputs: inputs(plan).map(tree),
    })
    return tree(this.#plan)
  }

  // oxlint-disable-next-line typescript/require-await -- the contract is asynchronous, the model is not
  async *run(): AsyncGenerator<RecordBatch> {
    this.#measures = new Map()
    const environment = { tables: this.#tables, functions: this.#functions, context: this.#context }
    const rows = runWithBudget(this.#context.budget, () => evaluate(this.#plan, environment, this.#measures)).map(
      ({ row }) => withoutMissing(row),
    )
    const schema = answerSchema(this.schema, rows)
    const { batchRows, budget } = this.#context
    for (let start = 0; start < rows.length; start += batchRows) {
      budget.checkpoint()
      yield batchOfRows(schema, rows.slice(start, start + batchRows))
    }
  }
}

/**
 * The row model: a simple backend against which all others are compared. Evaluates a plan node by node over row
 * objects, without optimizer and indexes. `tables` may contain rows in any order.
 */
export function rowsBackend(tables: ReadonlyMap<string, readonly StoredRow[]>, functions: Functions): Backend {
  return {
    name: 'rows',
    accept(plan): Acceptance {
      let refusal: Acceptance = { kind: 'whole' }
      visit(plan, (node) => {
        if (refusal.kind === 'not') return
        if (!canEvaluate(node.kind)) refusal = { kind: 'not', node, reason: `the row model has no ${node.kind}` }
        else if (node.kind === 'table-apply' && functions.tables.get(node.fn)?.physical !== undefined) {
          refusal = { kind: 'not', node, reason: `the row model has no segments for ${node.fn} to tell of` }
        } else if (node.kind === 'scan' && !tables.has(node.table)) {
          refusal = { kind: 'not', node, reason: `the row model has no table ${node.table}` }
        }
      })
      return refusal
    },
    prepare: (plan, context) => new RowsPrepared(plan, tables, functions, context),
  }
}
