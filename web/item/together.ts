/** Nodes as one, to be put somewhere else: a call may have fewer arguments than a megabyte has nodes. */
export function together(nodes: Iterable<Node>): DocumentFragment {
  const fragment = document.createDocumentFragment()
  for (const node of [...nodes]) fragment.append(node)
  return fragment
}
