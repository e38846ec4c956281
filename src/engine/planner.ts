import { always, isError, present, saidOnce, type Diagnostic } from '../base/index.ts'
import type { FunctionDefinitions } from '../functions/index.ts'
import {
  checkOpen,
  format,
  parse,
  placeholdersOf,
  type Parsed,
  type Placeholders,
  type Vocabulary,
} from '../lang/log/index.ts'
import { checkNames } from '../optimize/index.ts'
import type { Catalog, LogicalPlan } from '../plan/index.ts'
import type { DataScope } from '../policy/index.ts'
import { standardCatalog } from '../store/index.ts'
import { compilePlan, type CompileOptions, type CompiledPlan, type LintPolicy } from './compile.ts'
import { plannedLanguageOf, type PlannedLanguage } from './extend.ts'
import { defaultEngineLimits, type EngineLimits } from './limits.ts'
import { checkRange } from './range.ts'
import { checkedZone } from './zone.ts'
import { checkQuery, checkQueryOptions, type Clock, type PlanOptions, type PlannerOptions } from './options.ts'
import { scopeOf, type ScopeTexts } from './scope-texts.ts'
import { planOfText, withReadableFixes, type TextPlan } from './text.ts'

const systemClock: Clock = {
  nowMs: () => performance.now(),
  nowNs: () => BigInt(Date.now()) * 1_000_000n,
}

/**
 * Compiles query texts, and plans of any query language, to plans that are bound, guarded and optimized. Reads no data.
 */
export class Planner {
  /** @internal */
  readonly catalog: Catalog
  /** @internal */
  readonly functions: FunctionDefinitions
  /** @internal Pipes and functions that queries may call. */
  readonly vocabulary: Vocabulary
  /** @internal */
  readonly clock: Clock
  /** @internal */
  readonly limits: EngineLimits
  readonly #lint: LintPolicy | undefined
  readonly #own: Required<Pick<CompileOptions, 'rules' | 'lints'>>

  /** An engine passes its own language as the second argument, which includes the code of the functions. */
  constructor(
    options: PlannerOptions = {},
    { vocabulary, functions }: PlannedLanguage = plannedLanguageOf(options.extend ?? {}, options.functions),
  ) {
    this.catalog = options.catalog ?? standardCatalog
    this.vocabulary = vocabulary
    this.functions = functions
    this.clock = options.clock ?? systemClock
    this.limits = { ...defaultEngineLimits, ...options.limits }
    this.#lint = options.lint
    const { rules = [], lints = [] } = options.extend ?? {}
    checkNames(rules, lints)
    this.#own = { rules, lints }
  }

  /** Parses a query text. Never throws because of its content. */
  parse(text: string, options: PlanOptions = {}): Parsed {
    checkQuery(text, options)
    const { dialect, textLimits, parameters } = options
    return parse(text, { dialect, limits: textLimits, parameters, ...this.#words() })
  }

  /** Formats a query text and keeps its comments. Throws SluiceError for syntax errors. */
  format(text: string, options: PlanOptions = {}): string {
    const { dialect } = options
    const parameters = options.parameters ?? this.placeholders(text, options)?.values()
    this.planOfText(text, { ...options, parameters })
    return format(text, { dialect, parameters, ...this.#words() })
  }

  #words(): { readonly functionNames: readonly string[]; readonly vocabulary: Vocabulary } {
    return { functionNames: this.functions.stats.names(), vocabulary: this.vocabulary }
  }

  /** @internal Returns stand-in values for parameters without values; `undefined` if there are none. */
  protected placeholders(text: string, options: PlanOptions): Placeholders | undefined {
    checkQuery(text, options)
    const { dialect, parameters, textLimits: limits } = options
    return parameters === undefined ? placeholdersOf(text, { dialect, limits, ...this.#words() }) : undefined
  }

  /**
   * Returns all diagnostics of a query text, errors first. Runs nothing, and never throws for bad input. Without
   * `parameters`, the parameters in the text may have any values; with `parameters`, a missing parameter is an error.
   */
  check(text: string, options: PlanOptions = {}): readonly Diagnostic[] {
    const open = this.placeholders(text, options)
    const found = checkOpen(
      open,
      (parameters) => this.plan(text, { ...options, parameters: parameters ?? options.parameters }).diagnostics,
    )
    return this.withReadableFixes(text, found, options, open)
  }

  /** @internal Removes fixes after which the text would no longer parse. */
  protected withReadableFixes(
    text: string,
    found: readonly Diagnostic[],
    options: PlanOptions,
    open = this.placeholders(text, options),
  ): readonly Diagnostic[] {
    // For a text with syntax errors, the parser has already checked the fixes.
    if (found.some((each) => isError(each) && each.code.startsWith('log/'))) return found
    const parameters = open?.values() ?? options.parameters
    return withReadableFixes(text, found, (made) =>
      this.parse(made, { ...options, parameters }).diagnostics.filter(isError),
    )
  }

  /** Returns the compiled plan of a query text: bound, guarded and optimized. */
  plan(text: string, options: PlanOptions = {}): CompiledPlan {
    const { plan, diagnostics } = this.planOfText(text, options)
    return this.compilePlan(plan, options, diagnostics)
  }

  /**
   * @internal Binds, guards and optimizes a plan of any query language. Runs nothing. Throws SluiceError if the plan
   * has errors.
   */
  compilePlan(
    plan: LogicalPlan,
    options: PlanOptions = {},
    /** Diagnostics of the parser. */
    diagnostics: readonly Diagnostic[] = [],
  ): CompiledPlan {
    const compiled = compilePlan(plan, this.compileOptions(options))
    return diagnostics.length === 0
      ? compiled
      : { ...compiled, diagnostics: saidOnce([...diagnostics, ...compiled.diagnostics]) }
  }

  /**
   * @internal Returns the plan of a query text before names are resolved. Throws SluiceError with all syntax errors.
   */
  planOfText(text: string, options: PlanOptions): TextPlan {
    checkQuery(text, options)
    return planOfText(text, {
      dialect: options.dialect ?? 'native',
      catalog: this.catalog,
      table: options.table,
      nowNs: options.nowNs ?? this.clock.nowNs(),
      zone: options.zone === undefined ? undefined : checkedZone(options.zone),
      limits: options.textLimits,
      ...this.#words(),
      parameters: options.parameters,
      extraFilters: options.extraFilters,
    })
  }

  /**
   * Compiles a scope once, for use by many queries. Relative times in it refer to the time of this call. Throws
   * SluiceError for an invalid filter or an unknown table.
   */
  scope(scope: ScopeTexts | DataScope, { nowNs, textLimits }: PlanOptions = {}): DataScope {
    return present(this.#scope(scope, { nowNs, textLimits }))
  }

  #scope(scope: PlanOptions['scope'], { nowNs, textLimits }: PlanOptions): DataScope | undefined {
    return scopeOf(scope, {
      catalog: this.catalog,
      functions: this.functions,
      nowNs: nowNs ?? this.clock.nowNs(),
      // No zone, because a scope must select the same rows in every time zone.
      zone: undefined,
      limits: textLimits,
      ...this.#words(),
    })
  }

  /**
   * @internal Returns everything on which the plan of a query with these options depends. Throws
   * `engine/reversed-range`, and SluiceError for an invalid scope.
   */
  compileOptions(options: PlanOptions): CompileOptions {
    checkQueryOptions(options)
    const range = options.range ?? always
    checkRange(range)
    return {
      catalog: this.catalog,
      functions: this.functions,
      limits: { ...this.limits, ...options.limits },
      range,
      dialect: options.dialect ?? 'native',
      table: options.table,
      scope: this.#scope(options.scope, options),
      disabledRules: options.disabledRules ?? [],
      lint: options.lint ?? this.#lint ?? 'warn',
      disabledLints: options.disabledLints ?? [],
      ...this.#own,
    }
  }
}
