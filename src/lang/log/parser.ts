import type { ISerializedGast } from 'chevrotain'
import type { Query } from './ast.ts'
import { filterDefinitions } from './filters/index.ts'
import { pipeDefinitions } from './pipes/index.ts'
import { registerPartition, registerRank } from './pipes/sort.ts'
import { registerByFields } from './pipes/uniq.ts'
import { registerFilter } from './rules/filter.ts'
import { registerLists } from './rules/lists.ts'
import { registerPipe } from './rules/pipe.ts'
import { registerQuery } from './rules/query.ts'
import { registerValues } from './rules/values.ts'
import { registerSortFields, registerStatsBody, registerStatsCall } from './stats/rules.ts'
import { Syntax, type Rule } from './syntax.ts'

/** The grammar, assembled from the lists of filters and pipes. One instance reads any number of texts, one at a time. */
export class LogParser extends Syntax {
  readonly readQuery: Rule<[], Query>

  constructor(skipValidations = true) {
    super(skipValidations)
    const { rules } = this
    registerValues(this)
    registerLists(this)
    rules.sortFields = registerSortFields(this)
    rules.partition = registerPartition(this)
    rules.rank = registerRank(this)
    rules.byFields = registerByFields(this)
    rules.statsCall = registerStatsCall(this, 'statsCall')
    rules.statsBody = registerStatsBody(this)
    registerFilter(this, filterDefinitions)
    registerPipe(this, pipeDefinitions)
    this.readQuery = registerQuery(this)
    this.performSelfAnalysis()
  }

  /** The rule graph as plain data. */
  grammar(): readonly ISerializedGast[] {
    return this.getSerializedGastProductions()
  }
}

let instance: LogParser | undefined

/** Built when first needed. */
export function logParser(): LogParser {
  instance ??= new LogParser()
  return instance
}
