import { Options, SluiceError, nowhere, type Diagnostic, type Fix, type Interval, type Origin } from '../base/index.ts'
import type { LogicalPlan } from '../plan/index.ts'
import { optimizeDiagnostic } from './diagnostics.ts'
import { nameFault, type RuleContext } from './rule.ts'

/** A query as lints see it. */
export interface LintSubject {
  /** Bound, before any rule: what the author wrote. */
  readonly plan: LogicalPlan
  /** After the rules: what will be done. */
  readonly optimized: LogicalPlan
  /** The request's range. */
  readonly range: Interval
}

export interface LintContext extends RuleContext {
  /** A longer range is called wide. */
  readonly wideRangeNs: bigint
  /** More rows than this make an answer large, and a scan costly. */
  readonly manyRows: number
  readonly costlyRows: number
  /**
   * How many rows of a table lie in a range; `undefined` when nobody knows, and lints about costs keep quiet. Without it,
   * where queries are planned without data, they say what a large store would make of them.
   */
  readonly rowsIn: ((table: string, range: Interval) => number | undefined) | undefined
}

/** Advice on one habit of queries. It changes nothing; its fixes are edits of the query text. */
export interface Lint {
  readonly name: string
  /** One sentence: what it looks for. */
  readonly summary: string
  check(subject: LintSubject, context: LintContext): Iterable<Diagnostic>
}

/** What a user's lint says of a query. */
export interface Advice {
  readonly message: string
  /** The part of the query that is meant: the origin of a plan node or expression. */
  readonly origin: Origin
  /** Why it matters, and what to do. */
  readonly notes?: readonly string[]
  readonly fixes?: readonly Fix[]
  /** `warning` unless given; under `lint: 'enforce'` a warning refuses the query. */
  readonly severity?: 'warning' | 'info'
}

export interface LintDefinition extends Pick<Lint, 'name' | 'summary'> {
  readonly check: (subject: LintSubject, context: LintContext) => Iterable<Advice>
}

const lintOptions = new Options<LintDefinition>({ name: 'string', summary: 'string', check: 'function' }, [
  'name',
  'summary',
  'check',
])

/**
 * A lint of a user's own, for `extend.lints` of an engine. Its code is `lint/<name>`. A check that throws becomes advice
 * of its own and stops no query.
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
