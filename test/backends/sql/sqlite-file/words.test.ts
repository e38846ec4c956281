import { describe, expect, test } from 'vitest'
import type { ValueTest } from '../../../../src/data/index.ts'
import { fullTextCut, fullTextQuestion } from '../../../../src/backends/sql/sqlite-file/words.ts'

describe('a full-text table', () => {
  test.each([
    ["CREATE VIRTUAL TABLE w USING fts5(message, content='requests', content_rowid='id')", 'runs'],
    ["create virtual table w using fts5(a, b, tokenize = 'unicode61 remove_diacritics 2')", 'runs'],
    ['CREATE VIRTUAL TABLE w USING fts5(a, tokenize="ascii")', 'runs'],
    ["CREATE VIRTUAL TABLE w USING fts5(a, tokenize='porter unicode61')", 'stems'],
    ['CREATE VIRTUAL TABLE w USING fts5(a, tokenize = porter)', 'stems'],
    ["CREATE VIRTUAL TABLE w USING fts5(a, tokenize='trigram')", 'threes'],
    ["CREATE VIRTUAL TABLE w USING fts5(a, tokenize='trigram case_sensitive 1')", undefined],
    ["CREATE VIRTUAL TABLE w USING fts5(a, tokenize='trigram', detail=none)", undefined],
    [`CREATE VIRTUAL TABLE w USING fts5(a, tokenize="unicode61 tokenchars '-.'")`, undefined],
    ["CREATE VIRTUAL TABLE w USING fts5(a, tokenize='mine')", undefined],
    ['CREATE VIRTUAL TABLE w USING fts4(a)', undefined],
  ])('%s', (statement, cut) => {
    expect(fullTextCut(statement)).toBe(cut)
  })

  const phrase = (text: string): ValueTest => ({ kind: 'phrase', text, isFolded: true })
  test.each<[ValueTest, 'runs' | 'stems' | 'threes', string | undefined]>([
    [phrase('timed out'), 'runs', '"timed" AND "out"'],
    [phrase('in_5'), 'runs', '"in" AND "5"'],
    [phrase('in_5'), 'threes', '"in_5"'],
    [phrase('straße 5'), 'runs', '"5"'],
    [phrase('"'), 'runs', undefined],
    [{ kind: 'phrase-prefix', text: 'running', isFolded: true }, 'runs', '"running" *'],
    [{ kind: 'phrase-prefix', text: 'running', isFolded: true }, 'stems', undefined],
    [{ kind: 'equals', value: '', isFolded: false, isTyped: false }, 'runs', undefined],
  ])('%j cut into %s', (given, cut, question) => {
    expect(fullTextQuestion(given, cut)).toBe(question)
  })
})
