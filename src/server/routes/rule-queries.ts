import { present } from '../../base/index.ts'
import type { RuleQueryAnswer, RuleQueryRequest } from '../metrics/rule-queries.ts'
import type { InternalQuery } from './definition/internal-query.ts'

/** Runs one query of a rule. */
export const ruleQueries: InternalQuery<RuleQueryRequest, RuleQueryAnswer> = {
  name: 'ruleQueries',
  summary: 'Run a query of a rule',
  read: (request) => request as RuleQueryRequest,
  run: (request, caller, context) => present(context.ruleQueries).run(request, caller),
}
