/** Creates an element with a class, attributes and children. Strings become text nodes, never HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}

/** Returns the descendant that a selector matches. Throws if the page lacks it. */
export function find(parent: ParentNode, selector: string): HTMLElement {
  const found = parent.querySelector<HTMLElement>(selector)
  if (found === null) throw new Error(`The page has no ${selector}.`)
  return found
}

/** Converts a diagnostic message to nodes; text between back quotes becomes code. */
export function message(text: string): readonly (Node | string)[] {
  const parts = text.split('`')
  return parts.map((part, i) => (i % 2 === 1 && i < parts.length - 1 ? element('code', {}, part) : part))
}

export function button(label: readonly (Node | string)[], onClick: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button' }, ...label)
  made.addEventListener('click', onClick)
  return made
}
