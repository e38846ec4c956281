import type { Regexp } from '../../base/index.ts'

/** Every `old`, or the first `limit` of them, replaced; `limit` 0 is no limit. An empty `old` replaces nothing. */
export function replaceText(text: string, old: string, replacement: string, limit: number): string {
  if (old === '') return text
  let out = ''
  let from = 0
  const most = limit === 0 ? Infinity : limit
  for (let count = 0; count < most; count++) {
    const at = text.indexOf(old, from)
    if (at === -1) break
    out += text.slice(from, at) + replacement
    from = at + old.length
  }
  return out + text.slice(from)
}

const REFERENCE = /\$(?:(\$)|(\w+)|\{(\w+)\})/g

/** The replacement with `$1`, `${1}`, `$name`, `${name}` filled in; `$$` is a dollar sign, unknown groups are empty. */
function expand(template: string, text: string, regexp: Regexp, match: readonly number[]): string {
  return template.replace(REFERENCE, (_, dollar, bare, braced) => {
    if (dollar !== undefined) return '$'
    const name: string = bare ?? braced
    const group = /^\d+$/.test(name) ? Number(name) : regexp.groupNames.indexOf(name)
    const start = group < 0 ? undefined : match[2 * group]
    return start === undefined || start === -1 ? '' : text.slice(start, match[2 * group + 1])
  })
}

/** As `replaceText` for matches of a regular expression. An empty match moves on by one character. */
export function replaceMatches(text: string, regexp: Regexp, template: string, limit: number): string {
  let out = ''
  let from = 0
  let kept = 0
  const most = limit === 0 ? Infinity : limit
  for (let count = 0; count < most && from <= text.length; count++) {
    const match = regexp.find(text, from)
    if (match === undefined) break
    const [start = 0, end = start] = match
    out += text.slice(kept, start) + expand(template, text, regexp, match)
    kept = end
    from = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1)
  }
  return out + text.slice(kept)
}
