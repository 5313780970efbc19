/** A table that is built when it is first needed, because n8n loads the package at every start. */
export function lazy<Value extends object>(create: () => Value): () => Value {
	let created: Value | undefined;
	return () => (created ??= create());
}
