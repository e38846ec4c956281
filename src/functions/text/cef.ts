const HEADER = [
  'version',
  'device_vendor',
  'device_product',
  'device_version',
  'device_event_class_id',
  'name',
  'severity',
]
/** Matches a key, which is one word. Escaped characters do not end the word. */
const KEY = /(?:^| )((?:[^ =\\]|\\.)+)=/g

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_, character: string) =>
    character === 'n' ? '\n' : character === 'r' ? '\r' : character,
  )
}

/** Parses the fields of a CEF message, given the text after `CEF:`; `undefined` if it is not CEF. */
export function parseCef(text: string): [string, string][] | undefined {
  const fields: [string, string][] = []
  let at = 0
  for (const name of HEADER) {
    let end = at
    while (end < text.length && text[end] !== '|') end += text[end] === '\\' ? 2 : 1
    if (end >= text.length) return undefined
    fields.push([`cef.${name}`, unescape(text.slice(at, end))])
    at = end + 1
  }
  const extension = text.slice(at).trimStart()
  if (extension === '') return fields
  const keys = [...extension.matchAll(KEY)]
  if (keys[0]?.index !== 0) return undefined
  for (const [i, match] of keys.entries()) {
    const value = extension.slice(match.index + match[0].length, keys[i + 1]?.index ?? extension.length)
    fields.push([`cef.extension.${unescape(match[1] ?? '')}`, unescape(value)])
  }
  return fields
}
