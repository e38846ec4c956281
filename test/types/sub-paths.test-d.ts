import { expectTypeOf } from 'vitest'
import { createLanguage, type Completion, type Diagnostic, type Language } from '../../src/entries/lang.ts'
import { LanguageParser, column, type Expr, type KitSession, type Rule, type Token } from '../../src/entries/kit.ts'
import { createPromql, type PromqlEngine, type SampleSource } from '../../src/entries/promql.ts'
import { createServer, type Role, type ServerOptions, type SluiceServer } from '../../src/entries/server.ts'
import { createEngine } from '../../src/entries/sluice.ts'

declare const samples: SampleSource

// An editor needs synchronous calls and no engine.
expectTypeOf(createLanguage()).toEqualTypeOf<Language>()
expectTypeOf(createLanguage().complete('*', 1)).toEqualTypeOf<Completion>()
expectTypeOf(createLanguage().check('*')).toEqualTypeOf<readonly Diagnostic[]>()

// A server is ready to answer requests when its promise resolves.
expectTypeOf(createServer).parameter(0).toExtend<ServerOptions | undefined>()
expectTypeOf(createServer({ tables: {}, keys: [] })).resolves.toEqualTypeOf<SluiceServer>()
expectTypeOf<SluiceServer['fetch']>().returns.resolves.toEqualTypeOf<Response>()
expectTypeOf<Role>().toEqualTypeOf<'read' | 'write' | 'admin'>()

// Metric queries use the same engine as other queries.
expectTypeOf(createPromql(createEngine(), samples)).toEqualTypeOf<PromqlEngine>()
// @ts-expect-error -- samples have a source
createPromql(createEngine())

// A rule of a user-defined language has types for its arguments and its result.
expectTypeOf(column('level')).toExtend<Expr>()
class OwnParser extends LanguageParser<KitSession, Token> {
  declare readonly explain: never
  declare readonly explainDepth: never
  readonly word: Rule<[], string> = this.RULE('word', () => 'text')
}
expectTypeOf<OwnParser['word']>().toEqualTypeOf<Rule<[], string>>()
