import { Options, SluiceError, nowhere, type Diagnostic, type Fix, type Interval, type Origin } from '../base/index.ts'
import type { LogicalPlan } from '../plan/index.ts'
import { optimizeDiagnostic } from './diagnostics.ts'
import { nameFault, type RuleContext } from './rule.ts'

/** The query that lints inspect, with the facts they may use. */
export interface LintSubject {
  /** Plan with names resolved, as the author wrote it, before any optimizer rule. */
  readonly plan: LogicalPlan
  /** The plan after all rules, as it will run. */
  readonly optimized: LogicalPlan
  /** Time range of the request. */
  readonly range: Interval
}

/** The plan under a lint, and facts about its tables and columns. */
export interface LintContext extends RuleContext {
  /** Length in ns above which a range counts as wide. */
  readonly wideRangeNs: bigint
  /** Number of rows above which an answer counts as large and a scan as costly. */
  readonly manyRows: number
  readonly costlyRows: number
  /**
   * Returns the number of rows of a table in a time range. If it returns `undefined`, lints about cost report nothing.
   * If the function is missing, lints assume a large store; this is so when queries are planned without data.
   */
  readonly rowsIn: ((table: string, range: Interval) => number | undefined) | undefined
}

/** A check that gives advice on one habit in queries. A lint changes nothing; its fixes are edits of the query text. */
export interface Lint {
  readonly name: string
  /** One sentence about what the lint detects. */
  readonly summary: string
  check(subject: LintSubject, context: LintContext): Iterable<Diagnostic>
}

/** A finding of a user's lint. */
export interface Advice {
  readonly message: string
  /** The origin of the plan node or expression that the finding is about. */
  readonly origin: Origin
  /** Sentences that give the reasons, and say what to do. */
  readonly notes?: readonly string[]
  readonly fixes?: readonly Fix[]
  /** Severity of the finding. Under `lint: 'enforce'` a query with a warning is refused. Default: `warning`. */
  readonly severity?: 'warning' | 'info'
}

/** A check of plans that warns of what will be slow or is probably not meant. */
export interface LintDefinition extends Pick<Lint, 'name' | 'summary'> {
  readonly check: (subject: LintSubject, context: LintContext) => Iterable<Advice>
}

const lintOptions = new Options<LintDefinition>({ name: 'string', summary: 'string', check: 'function' }, [
  'name',
  'summary',
  'check',
])

/**
 * Defines a lint for `extend.lints` of an engine. Its code is `lint/<name>`. A check that throws becomes a finding of
 * its own and stops no query.
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
