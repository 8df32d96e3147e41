/** Sites and their zones. [spec 2, decisions 1] */
import type { TObject } from 'typebox';
import { SitesQuery, ZonesQuery } from '../requests.ts';
import { List, Site, Zone } from '../resources.ts';
import { operation } from './operation.ts';

export const listSites = operation('GET', '/v1/sites', 'any', {
  operationId: 'listSites',
  tag: 'Sites',
  summary: 'List the sites of the company',
  description: 'All sites of the client’s company, by name. Any valid token is accepted.',
  query: SitesQuery as TObject,
  answers: { 200: List('SiteList', Site) },
});

export const listZones = operation('GET', '/v1/sites/:site_id/zones', 'alerts:read', {
  operationId: 'listZones',
  tag: 'Sites',
  summary: 'List the zones of a site',
  description: 'All zones of a site, by name. A privacy zone shows its name and type only, never its geometry.',
  query: ZonesQuery as TObject,
  answers: { 200: List('ZoneList', Zone) },
});

export const PLANT_OPERATIONS = [listSites, listZones];
