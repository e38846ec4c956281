import { checkArgument, hasMember } from '../options.ts'
import type { Fix } from './diagnostic.ts'

/** Returns the text after all edits of a fix. */
export function applyFix(text: string, fix: Fix): string {
  checkArgument(hasMember(fix, 'edits'), fix, 'a fix', 'applyFix(text, diagnostic.fixes[0])')
  const edits = fix.edits.toSorted((a, b) => b.span.start - a.span.start)
  let result = text
  for (const edit of edits) result = result.slice(0, edit.span.start) + edit.text + result.slice(edit.span.end)
  return result
}
