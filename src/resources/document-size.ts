import { MAX_DOCUMENT_CHARS } from '../base/index.ts'
import { refusal } from './resource-error.ts'

const MAX_VALUES = 20_000

/**
 * Limits the size of a document in any format, and so the work of storing it. YAML aliases share memory, but each one
 * is written out, so each one counts. Throws ResourceError `resources/too-large`.
 */
export function checkSize(root: unknown): void {
  let values = 0
  let characters = 0
  const pending: unknown[] = [root]
  while (pending.length > 0) {
    const value = pending.pop()
    if (++values > MAX_VALUES) throw refusal('bad-input', 'too-large', { limit: `${MAX_VALUES} values` })
    if (typeof value === 'string') characters += value.length
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      characters += name.length
      pending.push(member)
    }
    if (characters > MAX_DOCUMENT_CHARS)
      throw refusal('bad-input', 'too-large', { limit: `${MAX_DOCUMENT_CHARS} characters` })
  }
}
