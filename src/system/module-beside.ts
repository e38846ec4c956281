/**
 * Returns the URL of the module `name` in the same folder as the module `self` (its `import.meta.url`), with the same
 * extension: `.ts` in sources, `.js` in the compiled package.
 */
export function moduleBeside(self: string, name: string): URL {
  return new URL(`./${name}.${self.endsWith('.ts') ? 'ts' : 'js'}`, self)
}
