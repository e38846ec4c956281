import { describe, expect, test } from 'vitest'
import type { FullTextCut } from '../../../../src/backends/sql/index.ts'
import type { ValueTest } from '../../../../src/data/index.ts'
import { fullTextCut, fullTextQuestion, type FullTextQuestion } from '../../../../src/backends/sql/sqlite-file/words.ts'

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
  const prefix = (text: string): ValueTest => ({ kind: 'phrase-prefix', text, isFolded: true })
  const nearly = (text: string): FullTextQuestion => ({ text, isExact: false })
  const exactly = (text: string): FullTextQuestion => ({ text, isExact: true })
  test.each<[ValueTest, FullTextCut, FullTextQuestion | undefined]>([
    [phrase('timed out'), 'runs', nearly('"timed out"')],
    [phrase('in_5'), 'runs', nearly('"in_5"')],
    [phrase('in_5'), 'threes', nearly('"in_5"')],
    [phrase('in_5'), 'words', exactly('"in_5"')],
    [phrase('timed out'), 'words', nearly('"timed out"')],
    [phrase('_'), 'words', undefined],
    [phrase('straße 5'), 'runs', nearly('"5"')],
    [phrase('"'), 'runs', undefined],
    [prefix('running'), 'runs', nearly('"running" *')],
    [prefix('running'), 'words', exactly('"running" *')],
    [prefix('running'), 'stems', undefined],
    [{ kind: 'phrase', text: 'Error', isFolded: false }, 'words', nearly('"Error"')],
    [{ kind: 'equals', value: '', isFolded: false, isTyped: false }, 'runs', undefined],
  ])('%j cut into %s', (given, cut, question) => {
    expect(fullTextQuestion(given, cut)).toEqual(question)
  })
})
