/** Integer types of AssemblyScript, for the layouts that both languages read. */
declare type i32 = number
declare type u32 = number
