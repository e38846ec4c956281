const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Returns a text as HTML, for elements and for attributes in quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character)
}

/** Returns the fragment that a heading of Markdown gets, as GitHub names it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** Returns the relative address of a path of the site, as a page at `from` writes it. */
export function relativeTo(from: string, path: string): string {
  const up = from.split('/').length - 1
  return `${'../'.repeat(up)}${path}` || './'
}
