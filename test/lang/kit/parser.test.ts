import { describe, expect, test } from 'vitest'
import { spanOf, type Diagnostic } from '../../../src/base/index.ts'
import {
  ebnf,
  lazyLexer,
  LimitFault,
  nonAsciiHint,
  retype,
  TokenBuilder,
  type Rule,
} from '../../../src/lang/kit/index.ts'
import { railroadPage } from '../../../src/lang/kit/railroad.ts'
import { A, B, C, Close, Comma, Letter, Open, session, tinyDiagnostic, TinyParser, tokensOf } from './tiny-language.ts'

/** Returns the messages with their offsets. */
function said(found: readonly Diagnostic[]): readonly string[] {
  return found.map(({ message, origin }) => `${spanOf(origin)?.start}-${spanOf(origin)?.end} ${message}`)
}

/** Returns the result of a grammar rule for a text, and the diagnostics. */
function run(text: string, register: (parser: TinyParser) => Rule<[], unknown>, depth?: number): readonly unknown[] {
  let rule: Rule<[], unknown> | undefined
  const parser = new TinyParser(($) => (rule = register($)))
  const found: Diagnostic[] = []
  const value = parser.read(rule!, tokensOf(text), session(text, found, depth))
  return [value, ...said(found)]
}

describe('checks of a grammar', () => {
  const faults: readonly (readonly [string, RegExp, ($: TinyParser) => void])[] = [
    [
      'alternatives that begin alike',
      /Ambiguous Alternatives[^]*<list>/,
      ($) => $.RULE('list', () => $.or(0, [{ ALT: () => $.consume(A) }, { ALT: () => $.consume(A) }])),
    ],
    [
      'left recursion',
      /Left Recursion[^]*list/,
      ($) => {
        const list: Rule<[], unknown> = $.RULE('list', () => $.subrule(list))
      },
    ],
    [
      'a repetition of nothing',
      /repetition <MANY> within Rule <list>/,
      ($) => $.RULE('list', () => $.many(0, () => undefined)),
    ],
    [
      'a number used twice',
      /OPTION[^]*list/,
      ($) =>
        $.RULE('list', () => {
          $.option(0, () => $.consume(A))
          $.option(0, () => $.consume(B))
        }),
    ],
  ]

  test.each(faults)('find %s', (_, message, register) => {
    expect(() => new TinyParser(register, true)).toThrow(message)
  })
})

describe('lookahead', () => {
  test('categories, nullable alternatives and rules that begin with other rules', () => {
    const grammar = ($: TinyParser): Rule<[], string> => {
      const maybe = $.RULE('maybe', () => $.option(0, () => $.consume(Letter).image) ?? 'none')
      const both = $.RULE('both', () => {
        const first = $.subrule(maybe)
        return $.ACTION(() => first) + $.consume(C).image
      })
      return $.RULE('root', () =>
        $.or(0, [{ ALT: () => $.subrule(both) }, { ALT: () => $.consume(Comma).image }, { ALT: () => 'empty' }]),
      )
    }
    expect(['ac', 'bc', 'c', ',', ''].map((text) => run(text, grammar)[0])).toEqual(['ac', 'bc', 'nonec', ',', 'empty'])
  })

  test('a gate decides where one token does not', () => {
    const grammar = ($: TinyParser): Rule<[], string> =>
      $.RULE('root', () =>
        $.or(0, [
          {
            GATE: () => $.isNext(C, 2),
            ALT: () => {
              $.consume(A)
              return `gated ${$.consume(C).image}`
            },
          },
          { ALT: () => `free ${$.consume(A).image}` },
        ]),
      )
    expect(['ac', 'a'].map((text) => run(text, grammar)[0])).toEqual(['gated c', 'free a'])
  })

  test('what was expected is reported in the order of the grammar, with the rules being read', () => {
    let data: unknown
    const parser = new TinyParser(($) => {
      const inner = $.RULE('inner', () => $.or(0, [{ ALT: () => $.consume(C) }, { ALT: () => $.consume(Letter) }]))
      $.RULE('root', () =>
        $.attempt(
          () => $.subrule(inner),
          () => undefined,
        ),
      )
    })
    expect(parser.grammar.map(({ name }) => name)).toEqual(['inner', 'root'])
    run(',', ($) => {
      const inner = $.RULE('inner', () => $.or(0, [{ ALT: () => $.consume(C) }, { ALT: () => $.consume(Letter) }]))
      const explain = $.explain.bind($)
      $.explain = (mismatch) => {
        data = [mismatch.expected.map(({ name }) => name), mismatch.ruleStack]
        return explain(mismatch)
      }
      return $.RULE('root', () =>
        $.attempt(
          () => $.subrule(inner),
          () => undefined,
        ),
      )
    })
    expect(data).toEqual([
      ['C', 'Letter'],
      ['root', 'inner'],
    ])
  })
})

/**
 * Defines a rule for `a`, `(list)`, …, separated by commas. The parser recovers from errors in each item separately.
 */
function list($: TinyParser): Rule<[], readonly string[]> {
  const items: Rule<[], readonly string[]> = $.RULE('items', () => {
    const found: string[] = []
    const readItem = (): void =>
      $.attempt(
        () => {
          found.push($.subrule(item))
          $.expectNext([Comma, Close])
        },
        ({ start, end }) => void found.push(`broken ${start}-${end}`),
      )
    readItem()
    $.many(0, () => {
      $.consume(Comma)
      readItem()
    })
    return found
  })
  const item: Rule<[], string> = $.RULE('item', () =>
    $.or(0, [
      { ALT: () => $.consume(A).image },
      {
        ALT: () => {
          $.consume(Open)
          const inner = $.nested(() => $.subrule(items))
          $.consume(Close)
          return $.ACTION(() => `(${inner.join()})`)
        },
      },
    ]),
  )
  return $.RULE('root', () => {
    $.consume(Open)
    const found = $.subrule(items)
    $.consume(Close)
    return found
  })
}

describe('recovery', () => {
  test('skips to the next separator of the same level', () => {
    expect(run('(a, b (c, c) b, a)', list)).toEqual([['a', 'broken 4-14', 'a'], '4-5 b not a ('])
  })

  test('finds several errors, and errors inside brackets', () => {
    expect(run('(b, (c), a b)', list)).toEqual([
      ['broken 1-2', '(broken 5-6)', 'a', 'broken 9-12'],
      '1-2 b not a (',
      '5-6 c not a (',
      '11-12 b not , )',
    ])
  })

  test('goes on at a separator inside a bracket that was never closed', () => {
    const guarded = ($: TinyParser): Rule<[], unknown> => {
      const inner = list($)
      return $.RULE('guarded', () =>
        $.attempt(
          () => $.subrule(inner),
          () => ['nothing'],
        ),
      )
    }
    expect(run('((a b, a)', guarded)).toEqual([['nothing'], '4-5 b not , )', '9-9  not , )', '9-9  not )'])
  })

  test('passes a limit fault through every attempt, and parses the next text normally', () => {
    let rule: Rule<[], unknown> | undefined
    const parser = new TinyParser(($) => (rule = list($)))
    const deep = `${'('.repeat(11)}a`
    for (let i = 0; i < 3; i++) {
      const found: Diagnostic[] = []
      expect(() => parser.read(rule!, tokensOf(deep), session(deep, found))).toThrow(LimitFault)
      expect(found).toEqual([])
      expect(parser.read(rule!, tokensOf('(a,(a))'), session('(a,(a))', found))).toEqual(['a', '(a)'])
      expect(found).toEqual([])
    }
  })

  test('what a rule refuses by itself is an error like others; other exceptions are not caught', () => {
    const refusing = ($: TinyParser): Rule<[], unknown> =>
      $.RULE('root', () =>
        $.attempt(
          () => {
            const token = $.consume(A)
            $.ACTION(() => $.fail(tinyDiagnostic('odd', {}, $.tokenSpan(token))))
          },
          () => 'refused',
        ),
      )
    expect(run('a', refusing)).toEqual(['refused', '0-1 odd'])
    const failing = ($: TinyParser): Rule<[], unknown> =>
      $.RULE('root', () =>
        $.attempt(
          () =>
            $.ACTION(() => {
              throw new TypeError('a bug')
            }),
          () => 'caught',
        ),
      )
    expect(() => run('a', failing)).toThrow('a bug')
  })
})

test('content assist: what may come next, gates included, and nothing behind an error', () => {
  let rule: Rule<[], unknown> | undefined
  const parser = new TinyParser(($) => {
    rule = $.RULE('root', () => {
      $.consume(A)
      $.option(0, { GATE: () => false, DEF: () => $.consume(Close) })
      $.option(1, () => $.consume(Open))
      $.or(0, [{ ALT: () => $.consume(B) }, { GATE: () => false, ALT: () => $.consume(Comma) }])
      $.option(2, () => $.consume(C))
    })
  })
  const next = (text: string): readonly string[] =>
    parser.contentAssist(rule!, tokensOf(text), session(text)).map(({ name }) => name)
  expect([next(''), next('a'), next('a('), next('ab'), next('b')]).toEqual([['A'], ['Open', 'B'], ['B'], ['C'], []])
})

test('positions are those of the text, blanks and the end included', () => {
  const spans: unknown[] = []
  run(' a  (', ($) =>
    $.RULE('root', () => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(A)
      $.ACTION(() => spans.push($.touches(), $.spanFrom(start), $.tokenSpan($.LA(1)), $.endOffset(), $.LA(3).image))
      $.consume(Open)
      $.ACTION(() => spans.push($.startOffset(), $.isNext(Letter, -1), $.isNextIn(new Set([Open]), 0)))
    }),
  )
  expect(spans).toEqual([false, { start: 1, end: 2 }, { start: 4, end: 5 }, 2, '', 5, true, true])
})

test('the grammar as EBNF and as a page of diagrams', () => {
  const { grammar } = new TinyParser(($) => {
    const inner = $.RULE('inner', () => $.or(0, [{ ALT: () => $.consume(A) }, { ALT: () => $.consume(Letter) }]))
    $.RULE('root', () => {
      $.atLeastOne(0, () => {
        $.consume(C)
        $.option(0, () => $.consume(Comma))
      })
      $.many(0, () => $.subrule(inner))
    })
  })
  expect(ebnf(grammar, 'root', new Map([['Letter', 'letter']]))).toEqual([
    'root ::= ( "c" ","? )+ inner*',
    'inner ::= "a" | letter',
  ])
  expect(railroadPage(grammar)).toContain('"type":"RepetitionMandatory"')
})

describe('tokens', () => {
  test('a keyword is one type, whoever asks; a lexed word takes its type', () => {
    const builder = new TokenBuilder()
    const word = builder.type('Word', 'word')
    expect(builder.keyword('by', [word])).toBe(builder.keyword('by', [word]))
    expect(builder.vocabulary.map(({ name }) => name)).toEqual(['Word', 'Kw_by'])
    const [token] = tokensOf('a')
    retype(token!, C)
    expect([token?.tokenType, token?.tokenTypeIdx]).toEqual([C, C.tokenTypeIdx])
  })

  test('the hint reaches a pattern from every character beyond ASCII', () => {
    const any = new TokenBuilder().type('Any', '', [], {
      PATTERN: (text, offset) => [text.charAt(offset)],
      START_CHARS_HINT: [...nonAsciiHint],
      LINE_BREAKS: true,
    })
    const lex = lazyLexer(() => [any])
    const missed: number[] = []
    for (let code = 0x80; code <= 0xffff; code++)
      if (lex(String.fromCharCode(code)).tokens.length === 0) missed.push(code)
    expect(missed).toEqual([])
    expect(lex('a').strays).toEqual([0])
  })
})
