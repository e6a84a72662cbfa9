declare const brand: unique symbol;

/** A text or number that was validated once, by the one function that can make it. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };
