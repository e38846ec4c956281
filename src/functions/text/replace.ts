import { ITEMS_PER_CHECKPOINT, codePointAt, checkpoint, type Meter, type Regexp } from '../../base/index.ts'
import { TextBuilder } from './text-builder.ts'

/** Replaces at most `limit` occurrences of `old`; 0 means all. An empty `old` replaces nothing. */
export function replaceText(text: string, old: string, replacement: string, limit: number, meter: Meter): string {
  if (old === '') return text
  const most = limit === 0 ? Infinity : limit
  const out = new TextBuilder(meter, 'replace')
  let kept = 0
  let count = 0
  for (let at = text.indexOf(old); at !== -1 && count < most; at = text.indexOf(old, kept)) {
    out.add(text.slice(kept, at))
    out.add(replacement)
    kept = at + old.length
    if (++count % ITEMS_PER_CHECKPOINT === 0) checkpoint()
  }
  if (count === 0) return text
  out.add(text.slice(kept))
  return out.text()
}

const REFERENCE = /\$(?:(\$)|(\w+)|\{(\w+)\})/g

/** Expands `$1`, `${1}`, `$name` and `${name}` in a replacement. `$$` is a dollar sign; an unknown group is empty. */
function expand(template: string, text: string, regexp: Regexp, match: readonly number[]): string {
  return template.replace(REFERENCE, (_, dollar, bare, braced) => {
    if (dollar !== undefined) return '$'
    const name: string = bare ?? braced
    const group = /^\d+$/.test(name) ? Number(name) : regexp.groupNames.indexOf(name)
    const start = group < 0 ? undefined : match[2 * group]
    return start === undefined || start === -1 ? '' : text.slice(start, match[2 * group + 1])
  })
}

/**
 * Replaces matches of a regular expression, with the same `limit` as `replaceText`. After an empty match, the search
 * continues one character later.
 */
export function replaceMatches(text: string, regexp: Regexp, template: string, limit: number, meter: Meter): string {
  const out = new TextBuilder(meter, 'replace_regexp')
  let from = 0
  let kept = 0
  const most = limit === 0 ? Infinity : limit
  for (let count = 0; count < most && from <= text.length; count++) {
    if (count % ITEMS_PER_CHECKPOINT === ITEMS_PER_CHECKPOINT - 1) {
      meter.checkpoint()
      checkpoint()
    }
    const match = regexp.find(text, from)
    if (match === undefined) break
    const [start = 0, end = start] = match
    if (start > kept) out.add(text.slice(kept, start))
    out.add(expand(template, text, regexp, match))
    kept = end
    from = end > start ? end : end + ((codePointAt(text, end) ?? 0) > 0xffff ? 2 : 1)
  }
  if (kept === 0 && from === 0) return text
  out.add(text.slice(kept))
  return out.text()
}
