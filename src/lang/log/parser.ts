import type { Filter, Pipe, Query } from './ast.ts'
import { registerCustomPipe } from './custom/rule.ts'
import { filterDefinitions } from './filters/index.ts'
import { pipeDefinitions } from './pipes/index.ts'
import { registerSource } from './pipes/rows.ts'
import { registerRunningBody } from './pipes/running-stats.ts'
import { registerPartition, registerRank } from './pipes/sort.ts'
import { registerByFields } from './pipes/uniq.ts'
import { registerFilter } from './rules/filter.ts'
import { registerLists } from './rules/lists.ts'
import { registerPipe } from './rules/pipe.ts'
import { registerQuery } from './rules/query.ts'
import { registerValues } from './rules/values.ts'
import type { StatsCall } from './stats/call.ts'
import { registerSortFields, registerStatsCall } from './stats/call-rules.ts'
import { registerStatsBody } from './stats/rules.ts'
import { Syntax, type Rule } from './syntax.ts'
import { EOF } from './tokens.ts'

/**
 * Parser of the log language, assembled from the definitions of filters and pipes. One instance parses any number of
 * texts, one at a time.
 */
export class LogParser extends Syntax {
  readonly readQuery: Rule<[], Query>
  readonly readFilter: Rule<[], Filter | undefined>
  readonly readPipe: Rule<[], Pipe | undefined>
  readonly readStatsCall: Rule<[], StatsCall | undefined>

  constructor(isValidated = false) {
    super(isValidated)
    const { rules } = this
    registerValues(this)
    registerLists(this)
    registerSortFields(this)
    rules.partition = registerPartition(this)
    rules.rank = registerRank(this)
    rules.byFields = registerByFields(this)
    rules.statsCall = registerStatsCall(this, 'statsCall')
    rules.statsBody = registerStatsBody(this)
    rules.source = registerSource(this)
    rules.runningBody = registerRunningBody(this, registerStatsCall(this, 'runningCall', 'running'))
    registerFilter(this, filterDefinitions)
    registerPipe(this, pipeDefinitions, registerCustomPipe(this))
    this.readQuery = registerQuery(this)
    this.readFilter = this.#entry('logFilter', rules.filter)
    this.readPipe = this.#entry('logPipe', rules.pipe)
    this.readStatsCall = this.#entry('logStatsCall', rules.statsCall)
    this.build()
  }

  /** Registers an entry rule, which parses a text that consists of only one part, such as a filter or a pipe. */
  #entry<R>(name: string, rule: Rule<[], R>): Rule<[], R | undefined> {
    return this.RULE(name, (): R | undefined => {
      return this.attempt(
        () => {
          const result = this.subrule(rule)
          this.ACTION(() => {
            if (!this.isNext(EOF)) this.fail(this.unexpected(this.next(), []))
          })
          return result
        },
        () => undefined,
      )
    })
  }
}

let instance: LogParser | undefined

/** Returns the shared parser, which is built on first use. */
export function logParser(): LogParser {
  instance ??= new LogParser()
  return instance
}
