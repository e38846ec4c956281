const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for HTML elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character)
}

/** Returns the fragment id of a Markdown heading, as GitHub computes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** Returns the link from a page at `from` to a path of the site. */
export function relativeTo(from: string, path: string): string {
  const up = from.split('/').length - 1
  return `${'../'.repeat(up)}${path}` || './'
}
