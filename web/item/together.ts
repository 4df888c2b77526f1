/** Nodes as one, to be put somewhere else: a call may have fewer arguments than a megabyte has nodes. */
export function together(nodes: Iterable<Node>): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const moved = [...nodes] // a list of children would shrink meanwhile
  for (const node of moved) fragment.append(node)
  return fragment
}
