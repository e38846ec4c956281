import { Document, isScalar, visit } from 'yaml'
import type { DocumentBody } from '../document-store.ts'

/** True for characters that some YAML parsers treat as a line break or a byte order mark, or ignore. */
function isTricky(code: number): boolean {
  if (code < 0x20) return code !== 0x0a
  if (code >= 0x7f && code <= 0xa0) return true
  return code === 0x2028 || code === 0x2029 || code === 0xfeff || code >= 0xfffe || (code >= 0xd800 && code <= 0xdfff)
}

/** True if a text needs double quotes. YAML 1.1 gives a lone `=` a special meaning, so it needs them. */
function needsQuotes(text: string): boolean {
  if (text === '=') return true
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0
    if (code <= 0xffff && isTricky(code)) return true
  }
  return false
}

const ESCAPED = /[\u007f-\u00a0\u2028\u2029\ufeff\ufffe\uffff]/g

/**
 * Returns a stored definition as YAML that parsers of 1.1 and 1.2 read alike: no string becomes another type, a line
 * break, a tag, an anchor or a document.
 */
export function toYaml(body: DocumentBody): string {
  const document = new Document(body, {
    version: '1.2',
    schema: 'core',
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
  })
  visit(document, {
    Scalar: (_, node) => {
      if (isScalar(node) && typeof node.value === 'string' && needsQuotes(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  const text = document.toString({ lineWidth: 0, minContentWidth: 0 })
  // These characters occur only inside double-quoted strings, where an escape means the same.
  return text.replaceAll(ESCAPED, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
