/** The module of a name in the folder of the one at `self`, an `import.meta.url`: source beside source, compiled beside compiled. */
export function moduleBeside(self: string, name: string): URL {
  return new URL(`./${name}.${self.endsWith('.ts') ? 'ts' : 'js'}`, self)
}
