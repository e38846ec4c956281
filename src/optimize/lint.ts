import { Options, SluiceError, nowhere, type Diagnostic, type Fix, type Interval, type Origin } from '../base/index.ts'
import type { LogicalPlan } from '../plan/index.ts'
import { optimizeDiagnostic } from './diagnostics.ts'
import { nameFault, type RuleContext } from './rule.ts'

/** The query that a lint inspects, and the facts that the lint may use. */
export interface LintSubject {
  /** The plan as the author wrote it, with names resolved, before any optimizer rule. */
  readonly plan: LogicalPlan
  /** The plan after all rules, in the form that runs. */
  readonly optimized: LogicalPlan
  /** Time range of the request. */
  readonly range: Interval
}

/** The plan that a lint inspects, and facts about its tables and columns. */
export interface LintContext extends RuleContext {
  /** Length in ns above which a range counts as wide. */
  readonly wideRangeNs: bigint
  /** Number of rows above which an answer counts as large and a scan as costly. */
  readonly manyRows: number
  readonly costlyRows: number
  /**
   * Returns the number of rows of a table in a time range. If it returns `undefined` (unknown), lints about cost report
   * nothing. If the function itself is missing, as when planning without data, lints assume a large store.
   */
  readonly rowsIn: ((table: string, range: Interval) => number | undefined) | undefined
}

/**
 * A check that gives advice on one habit in queries. A lint does not change the query; its fixes are edits of the query
 * text.
 */
export interface Lint {
  readonly name: string
  /** One sentence that says what the lint detects. */
  readonly summary: string
  check(subject: LintSubject, context: LintContext): Iterable<Diagnostic>
}

/** A finding of a user's lint. */
export interface Advice {
  readonly message: string
  /** The origin of the plan node or expression that the finding is about. */
  readonly origin: Origin
  /** Sentences that give reasons and advice, shown after the finding. */
  readonly notes?: readonly string[]
  readonly fixes?: readonly Fix[]
  /** Severity of the finding. Under `lint: 'enforce'` a query with a warning is refused. Default: `warning`. */
  readonly severity?: 'warning' | 'info'
}

/** A check of plans that warns about queries that will be slow or are probably not intended. */
export interface LintDefinition extends Pick<Lint, 'name' | 'summary'> {
  readonly check: (subject: LintSubject, context: LintContext) => Iterable<Advice>
}

const lintOptions = new Options<LintDefinition>({ name: 'string', summary: 'string', check: 'function' }, [
  'name',
  'summary',
  'check',
])

/**
 * Defines a lint for the `extend.lints` option of an engine. Its diagnostic code is `lint/<name>`. If the check throws,
 * the error is reported as a finding, and the query runs.
 *
 * Throws SluiceError `optimize/bad-name`.
 */
export function defineLint(definition: LintDefinition): Lint {
  lintOptions.check(definition, '`defineLint`')
  const { name, summary, check } = definition
  const why = nameFault(name)
  if (why !== undefined) {
    throw new SluiceError([optimizeDiagnostic('bad-name', { what: 'lint', name: name, why }, nowhere)])
  }
  return Object.freeze({
    name,
    summary,
    check(subject: LintSubject, context: LintContext): readonly Diagnostic[] {
      try {
        return Array.from(
          check(subject, context),
          ({ message, origin, notes = [], fixes = [], severity = 'warning' }) => ({
            code: `lint/${name}`,
            severity,
            message,
            origin,
            notes,
            fixes,
            data: {},
          }),
        )
      } catch (error) {
        const cause = error instanceof Error ? error.message : String(error)
        return [optimizeDiagnostic('failed-lint', { lint: name, cause }, subject.plan.origin)]
      }
    },
  })
}
