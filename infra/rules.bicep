// What must agree between settings. Each function gives back the value it has checked; main.bicep calls them all in one
// variable that every name depends on, so that `fail` ends a deployment before anything is created, and what-if and
// `bicep snapshot` too.
import { replicaConfig } from 'generated/replicaConfig.bicep'

@export()
@description('What the strictest of the services accepts: Event Hubs for the first character, Log Analytics for the last, Cosmos DB for the others (its pattern is ^[a-z0-9]+(-[a-z0-9]+)*).')
func checkedName(name string) string =>
  contains(letters, first(name)) && last(name) != '-' && !contains(name, '--') && empty(filter(
      characters(name),
      character => !contains(nameCharacters, character)
    ))
    ? name
    : fail('name is ${name}: use lower-case letters, digits and single hyphens between them, a letter first')

var letters = 'abcdefghijklmnopqrstuvwxyz'
var nameCharacters = '${letters}0123456789-'

func characters(text string) string[] => map(range(0, length(text)), index => substring(text, index, 1))

@export()
@description('A delete that is forgotten before the hub forgets older changes would let these bring the row back.')
func checkedTombstoneDays(tombstoneDays int, retentionDays int) int =>
  tombstoneDays > retentionDays
    ? tombstoneDays
    : fail('replica.tombstoneDays is ${tombstoneDays}: make it more than eventHub.retentionDays, ${retentionDays}')

@export()
@description('An event that completes after a delete is forgotten could bring the row back.')
func checkedParkedHours(parkedHours int, tombstoneDays int) int =>
  parkedHours < tombstoneDays * 24
    ? parkedHours
    : fail('replica.parkedHours is ${parkedHours}: make it less than the ${tombstoneDays * 24} hours of replica.tombstoneDays')

@export()
@description('A partition is read by one instance at a time; but not every region takes a small number.')
func checkedMaximumInstances(maximumInstances int, partitions int) int =>
  maximumInstances <= max(partitions, leastMaximum)
    ? maximumInstances
    : fail('app.maximumInstances is ${maximumInstances}: make it no more than eventHub.partitions, ${partitions}, or ${leastMaximum} where the region takes no less')

@description('The least that Flex Consumption takes as the most instances, in regions where it does not take fewer yet.')
var leastMaximum = 40

@export()
@description('Each needs a partition of its own.')
func checkedAlwaysReady(instances int, maximumInstances int, partitions int) int =>
  instances <= min(maximumInstances, partitions)
    ? instances
    : fail('app.alwaysReady.replicate is ${instances}: make it no more than app.maximumInstances, ${maximumInstances}, and eventHub.partitions, ${partitions}')

@export()
@description('A namespace grows up to its maximum; 0 stands for one that does not grow.')
func checkedMaximumCapacity(maximumCapacity int?, capacity int) int =>
  maximumCapacity == null
    ? 0
    : maximumCapacity! >= capacity
        ? maximumCapacity!
        : fail('eventHub.maximumCapacity is ${maximumCapacity}: make it no less than eventHub.capacity, ${capacity}')

@export()
@description('CES cannot use private endpoints, and an app without a network has no address of its own to let in.')
func checkedIpRanges(ranges string[], privateNetworking bool) string[] =>
  privateNetworking == !empty(ranges)
    ? map(ranges, range => checkedRange(range))
    : privateNetworking
        ? fail('eventHub.allowedIpRanges is empty: with privateNetworking say where CES publishes from')
        : fail('eventHub.allowedIpRanges would lock the app out: set privateNetworking, or leave the ranges out')

// What is no range at all ends in parseCidr, with a message of its own.
func checkedRange(range string) string =>
  contains(range, ':') || parseCidr(range).cidr > 32
    ? fail('eventHub.allowedIpRanges has ${range}: the firewall of Event Hubs knows IPv4 only')
    : !empty(filter(exampleRanges, example => startsWith(range, example)))
        ? fail('eventHub.allowedIpRanges has ${range}, which is for examples: put the addresses there that CES publishes from')
        : range

@description('Blocks that RFC 5737 sets aside for documentation: nothing is ever sent from there.')
var exampleRanges = ['192.0.2.', '198.51.100.', '203.0.113.']

@export()
@description('A subnet for the app, whose size decides how many instances there can be, and one for private endpoints.')
func checkedNetworkAddresses(addresses string) string =>
  !contains(addresses, ':') && parseCidr(addresses).cidr <= 23
    ? addresses
    : fail('networkAddresses is ${addresses}: make it an IPv4 range of /23 or larger, such as 10.0.0.0/23')

@export()
@description('Autoscale goes by thousands of request units.')
func checkedThroughput(maxThroughput int) int =>
  maxThroughput % 1000 == 0
    ? maxThroughput
    : fail('cosmos.maxThroughput is ${maxThroughput}: make it a multiple of 1000')

@export()
@description('What the app itself needs of an item is indexed already.')
func checkedIndexedPaths(paths string[]) string[] =>
  empty(filter(paths, path => !isIndexedPath(path)))
    ? paths
    : fail('cosmos.indexedPaths must all be like /row/<column>/? or /key/*, not ${join(paths, ', ')}')

func isIndexedPath(path string) bool =>
  (startsWith(path, '/row/') || startsWith(path, '/key/')) && (endsWith(path, '/?') || endsWith(path, '/*'))

@export()
@description('An event that was given up does not wait any more: an alert at that time would come too late.')
func checkedAlertHours(hours int, parkedHours int) int =>
  hours < parkedHours
    ? hours
    : fail('alerts.oldestParked.hours is ${hours}: make it less than replica.parkedHours, ${parkedHours}')

@export()
@description('Names of people and servers are no ids; a role for what does not exist fails late.')
func checkedPrincipalId(parameter string, id string) string =>
  empty(id) || isGuid(id)
    ? id
    : fail('${parameter} is ${id}: put the object id there, such as 11111111-2222-3333-4444-555555555555')

func isGuid(text string) bool =>
  join(map(split(text, '-'), part => string(length(part))), '-') == '8-4-4-4-12' && empty(filter(
    characters(toLower(text)),
    character => !contains('0123456789abcdef-', character)
  ))

@export()
@description('What the app would refuse at its start, after everything has been created.')
func checkedConfig(config replicaConfig, maskSaltUri string) replicaConfig =>
  empty(maskSaltUri) && !empty(maskedTables(config))
    ? fail('maskSaltUri is empty, and replica.config masks columns of ${join(maskedTables(config), ', ')}')
    : !empty(misnamedTables(config))
        ? fail('replica.config.tables has ${join(misnamedTables(config), ', ')}: write database.schema.table')
        : config

func maskedTables(config replicaConfig) string[] =>
  map(filter(items(config.?tables ?? {}), table => !empty(table.value.?columns.?mask ?? {})), table => table.key)

func misnamedTables(config replicaConfig) string[] =>
  map(filter(items(config.?tables ?? {}), table => length(split(table.key, '.')) < 3), table => table.key)

@export()
@description('The secret itself must not be here: parameters are kept with the deployment.')
func checkedMaskSaltUri(uri string) string =>
  empty(uri) || startsWith(uri, 'https://') && contains(uri, '/secrets/')
    ? uri
    : fail('maskSaltUri is not the address of a secret: put one there such as https://<host of the vault>/secrets/mask-salt')
