/** The plants of the default world, read from their site files: what `src/plant/default-plants.json` must hold. */
import { readShipped } from '../../src/base/shipped.ts';
import { renderMistakes } from '../../src/plant/shown-mistakes.ts';
import { readSiteFile } from '../../src/plant/site-file.ts';

const FILES = ['terminal-puerto-alerce', 'fundicion-cerro-pardo', 'astillero-ria-brava'];

export const siteFileText = (name: string): string => readShipped(`scenarios/sites/${name}.yaml`);

export function defaultPlants(): Record<string, object> {
  return Object.fromEntries(
    FILES.map((name) => {
      const text = siteFileText(name);
      const { plan: site, crew, contract, mistakes } = readSiteFile(text, name);
      if (mistakes.length > 0) throw new Error(renderMistakes(mistakes, () => text));
      return [name, { site, crew, contract }];
    }),
  );
}
