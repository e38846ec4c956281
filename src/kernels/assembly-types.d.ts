/** The integer types of AssemblyScript, for `layout.ts`, which TypeScript and AssemblyScript both compile. */
declare type i32 = number
declare type u32 = number
