import { checkArgument, SluiceError, always, throwIfErrors, type Diagnostic } from '../../base/index.ts'
import {
  bindJson,
  bodyToText,
  formatBody,
  lowerSearch,
  openBody,
  readPipelineStrictly,
  textToPipeline,
} from '../../lang/json/index.ts'
import { checkOpen, type Placeholders } from '../../lang/log/index.ts'
import type { PlainRow } from '../../data/index.ts'
import type { ExplainTree, LogicalPlan } from '../../plan/index.ts'
import type { CompiledStatement } from '../../backends/index.ts'
import type { Pipeline } from '../../wire/index.ts'
import type { CompiledPlan } from '../compile.ts'
import { explainOpen } from '../explain.ts'
import { Engine } from '../engine.ts'
import type { PlanOptions, QueryOptions, StatementOptions } from '../options.ts'
import type { QueryResult } from '../result.ts'
import { functionNamesOf } from './function-names.ts'

/**
 * Answers queries that are Pipeline objects (parsed JSON). Errors are SluiceErrors whose diagnostics contain the path
 * of the fault, such as `$.filters.conditions[0].op`.
 */
export class JsonEngine {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /**
   * Checks an object and converts it to a Pipeline. Member names may have any case; unknown members are refused. Throws
   * SluiceError if the object is invalid.
   */
  parse(value: unknown): Pipeline {
    return readPipelineStrictly(value)
  }

  /** Returns all diagnostics, errors first; never throws for bad input. Parameters need no values. */
  check(value: unknown, options: PlanOptions = {}): readonly Diagnostic[] {
    return checkOpen(
      options.parameters === undefined ? this.#open(value) : undefined,
      (parameters) => this.plan(value, { ...options, parameters: parameters ?? options.parameters }).diagnostics,
    )
  }

  /** Prints the query as indented JSON with the member names of the specification. */
  format(value: unknown): string {
    this.#refuseUnknown(value)
    return formatBody(value)
  }

  /** Returns a query text with the same answer. Parameters are written as `$name`. */
  toText(value: unknown): string {
    this.#refuseUnknown(value)
    const { text, diagnostics } = bodyToText(value, functionNamesOf(this.#engine.functions))
    throwIfErrors(diagnostics)
    return text
  }

  /**
   * Converts a query text to a Pipeline. Throws SluiceError if the text has errors, or contains something that a
   * Pipeline cannot express. Relative times become fixed times. A parameter without a value becomes `{"$parameter":
   * "name"}`, whatever the type of the member.
   */
  fromText(text: string, options: Pick<PlanOptions, 'table' | 'nowNs' | 'textLimits' | 'parameters'> = {}): Pipeline {
    const { catalog, clock, functions, vocabulary } = this.#engine
    const definition = catalog.tables.get(options.table ?? catalog.defaultTable)
    const { pipeline, diagnostics } = textToPipeline(text, {
      functions: functionNamesOf(functions),
      table: options.table ?? catalog.defaultTable,
      tables: catalog.tables,
      aliases: definition?.aliases,
      textField: definition?.textField,
      nowNs: options.nowNs ?? clock.nowNs(),
      limits: options.textLimits,
      functionNames: functions.stats.names(),
      vocabulary,
      parameters: options.parameters,
    })
    throwIfErrors(diagnostics)
    if (pipeline === undefined) throw new SluiceError(diagnostics)
    return pipeline
  }

  /** Returns the compiled plan of a query: bound, guarded and optimized. */
  plan(value: unknown, options: PlanOptions = {}): CompiledPlan {
    const { plan, diagnostics } = this.#lower(value, options)
    return this.#engine.compilePlan(plan, options, diagnostics)
  }

  /** Prepares a query. Throws SluiceError if the query has errors. */
  query<Shape extends object = PlainRow>(value: unknown, options: QueryOptions = {}): QueryResult<Shape> {
    const { plan, diagnostics } = this.#lower(value, options)
    return this.#engine.queryPlan(plan, options, diagnostics)
  }

  /** Explains which backend would run which fragment. Runs nothing; parameters need no values. */
  explain(value: unknown, options: QueryOptions = {}): ExplainTree {
    return explainOpen(options.parameters === undefined ? this.#open(value) : undefined, (parameters) =>
      this.query(value, { ...options, parameters: parameters ?? options.parameters }).explain(),
    )
  }

  /** Returns the SQL statement of a query; see `Engine.toSQL`. */
  toSQL(value: unknown, options: StatementOptions = {}): CompiledStatement {
    return this.#engine.statementOf(this.plan(value, options), options)
  }

  /** Throws SluiceError for unknown members, including those inside parameters. */
  #refuseUnknown(value: unknown): void {
    readPipelineStrictly(bindJson(value, this.#open(value)?.values()).body)
  }

  #open(value: unknown): Placeholders | undefined {
    return openBody(value, functionNamesOf(this.#engine.functions))
  }

  #lower(
    value: unknown,
    { range = always, table = this.#engine.catalog.defaultTable, parameters }: PlanOptions,
  ): { readonly plan: LogicalPlan; readonly diagnostics: readonly Diagnostic[] } {
    const bound = bindJson(value, parameters)
    throwIfErrors(bound.diagnostics)
    const { plan, diagnostics } = lowerSearch({
      table,
      query: undefined,
      filters: undefined,
      sources: undefined,
      pipeline: readPipelineStrictly(bound.body),
      pipelinePath: [],
      tables: this.#engine.catalog.tables,
      range,
      functions: functionNamesOf(this.#engine.functions),
    })
    throwIfErrors(diagnostics)
    return { plan, diagnostics }
  }
}

/** Returns the methods of an engine, for queries that are Pipeline objects. */
export function createJson(engine: Engine): JsonEngine {
  checkArgument(engine instanceof Engine, engine, 'an engine that `createEngine` made', 'createJson(engine)')
  return new JsonEngine(engine)
}
