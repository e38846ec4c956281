import { LLkLookaheadStrategy, type BaseParser, type ILookaheadStrategy } from 'chevrotain'

type Alternation = Parameters<ILookaheadStrategy['buildLookaheadForAlternation']>[0]
type Optional = Parameters<ILookaheadStrategy['buildLookaheadForOptional']>[0]
type Choose = ReturnType<ILookaheadStrategy['buildLookaheadForAlternation']>
type Enters = ReturnType<ILookaheadStrategy['buildLookaheadForOptional']>

/** Works out what may come next at a place of the grammar when a text first gets there: a query meets few of the places. */
export class LazyLookahead extends LLkLookaheadStrategy {
  override buildLookaheadForAlternation(options: Alternation): Choose {
    const make = (): Choose => super.buildLookaheadForAlternation(options)
    let made: Choose | undefined
    return function (this: BaseParser, alternatives) {
      made ??= make()
      return made.call(this, alternatives)
    }
  }

  override buildLookaheadForOptional(options: Optional): Enters {
    const make = (): Enters => super.buildLookaheadForOptional(options)
    let made: Enters | undefined
    return function (this: BaseParser) {
      made ??= make()
      return made.call(this)
    }
  }
}
