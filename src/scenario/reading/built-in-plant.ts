/** The plant of a scenario that names none: a part of the package. [scenario-language, World] */

import { readShipped, shippedPath } from '../../base/shipped.ts';
import { readYaml, type YamlSource } from '../../plant/yaml-source.ts';
import { BUILT_IN_PLANT } from '../language/values.ts';

let known: (YamlSource & { readonly text: string }) | null = null;

/** The part with its text. It is read once. */
export function builtInPlant(): YamlSource & { readonly text: string } {
  if (known === null) {
    const text = readShipped(BUILT_IN_PLANT);
    known = { ...readYaml(text, shippedPath(BUILT_IN_PLANT) ?? BUILT_IN_PLANT), text };
  }
  return known;
}
