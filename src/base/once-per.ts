/** Returns a function that computes its value once per object. The value is freed together with the object. */
export function oncePer<K extends object, V>(compute: (object: K) => V): (object: K) => V {
  const known = new WeakMap<K, { readonly value: V }>()
  return (object) => {
    let made = known.get(object)
    if (made === undefined) known.set(object, (made = { value: compute(object) }))
    return made.value
  }
}
