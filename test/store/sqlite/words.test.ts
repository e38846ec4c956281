import { describe, expect, test } from 'vitest'
import { compileTest } from '../../../src/data/index.ts'
import { indexDocument, openSqlite, phraseTokens, printWordQuery } from '../../../src/store/sqlite/index.ts'

const texts = [
  'connection reset by peer',
  'Connection  reset by peer',
  'connection-reset by peer',
  'xconnection reset by peer, connection-reset by peer',
  'ÉTÉ in İstanbul 270\u212a',
  'user_id=42 path=/api/v1 [error]',
  'a\ue020b \ud800 c',
  'a b\ue020 c',
  'слово, 単語 och ord',
  '',
  '...',
  `${'x'.repeat(500)} end`,
  `${'x'.repeat(501)} end`,
]

const phrases = [
  'connection reset by peer',
  'connection reset',
  'reset by',
  'connection-reset',
  'été in istanbul 270k',
  'user_id=42',
  'path=/api',
  'error',
  'слово, 単語',
  'a\ue020b',
  'x',
  'x'.repeat(500),
]

describe('the word index', () => {
  test('finds exactly the texts that hold the phrase, unless the tokens say that a look is needed', async () => {
    const connection = await openSqlite(':memory:')
    connection.exec(`CREATE VIRTUAL TABLE w USING fts5(words, content = '', tokenize = "ascii tokenchars '_'")`)
    const insert = connection.prepare('INSERT INTO w (rowid, words) VALUES (?, ?)')
    texts.forEach((text, i) => insert.run(BigInt(i), indexDocument(text)))
    const match = connection.prepare('SELECT rowid FROM w WHERE w MATCH ? ORDER BY rowid').pluck()
    let exact = 0
    for (const kind of ['phrase', 'phrase-prefix'] as const) {
      for (const phrase of phrases) {
        const { tokens, hasLeftEdge, hasRightEdge, isCut } = phraseTokens(phrase)
        const found = match.all(printWordQuery({ kind: 'phrase', tokens, isPrefix: kind === 'phrase-prefix' }))
        const holds = compileTest({ kind, text: phrase, isFolded: true })
        const wanted = texts.flatMap((text, i) => (holds(text) ? [i] : []))
        if (hasLeftEdge || hasRightEdge || isCut) expect(found).toEqual(expect.arrayContaining(wanted))
        else {
          exact++
          expect(found, `${kind} ${phrase}`).toEqual(wanted)
        }
      }
    }
    expect(exact).toBe(22)
    connection.close()
  })

  test('a phrase with punctuation at its ends is only a hint', () => {
    expect(phraseTokens('[error]')).toEqual({ tokens: ['error'], hasLeftEdge: true, hasRightEdge: true, isCut: false })
    expect(phraseTokens('--')).toEqual({ tokens: [], hasLeftEdge: true, hasRightEdge: true, isCut: false })
  })
})
