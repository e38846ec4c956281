import type { ComponentChildren, JSX } from 'preact'
import type { LogLanguage } from '../../ask/requests.ts'

/** Maximum number of marks in one text, for words that occur very often. */
const MAX_MARKS = 50

/** A text in which the words of the query are marked. */
export function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }): JSX.Element {
  if (words.length === 0) return <>{text}</>
  const pattern = new RegExp(words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'gi')
  const parts: ComponentChildren[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (parts.length > 2 * MAX_MARKS) break
    parts.push(text.slice(end, index), <mark key={index}>{found}</mark>)
    end = index + found.length
  }
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  )
}

/** Returns the texts that the `|=` filters of a LogQL query search for. */
function wordsOfLogql(query: string): readonly string[] {
  const found = query.matchAll(/\|=\s*(?:"((?:[^"\\]|\\.)+)"|`([^`]+)`)/g)
  return Array.from(found, ({ 1: quoted, 2: raw }) => raw ?? quoted ?? '')
}

/**
 * Returns the words and phrases that a query searches in the text field: bare words and quoted texts before the first
 * pipe.
 */
export function wordsOf(query: string, language: LogLanguage): readonly string[] {
  if (language === 'logql') return wordsOfLogql(query)
  const [filter = ''] = query.split(/\|(?=(?:[^"]*"[^"]*")*[^"]*$)/, 1)
  const words: string[] = []
  for (const { 1: not, 2: field, 3: quoted, 4: bare } of filter.matchAll(
    /([!-]|\bnot\s+)?([\w.]+:=?)?(?:"((?:[^"\\]|\\.)*)"|([\p{L}\p{N}_]+))/giu,
  )) {
    const word = quoted ?? bare ?? ''
    const isOfText = field === undefined || /^(content|_msg|message):/.test(field)
    if (not !== undefined || !isOfText || word.length < 2 || /^(and|or|not|in)$/i.test(word)) continue
    words.push(word)
  }
  return words
}
