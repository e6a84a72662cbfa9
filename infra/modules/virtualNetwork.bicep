// A network for the app's way out and for the private endpoints of what it uses.
import { tags as tagsType } from '../options.bicep'

param name string
param location string
param tags tagsType

@description('An IPv4 range, of /23 at least.')
param addresses string

@description('Private DNS zones that the network resolves names with.')
param zoneNames string[]

resource network 'Microsoft.Network/virtualNetworks@2025-05-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    addressSpace: { addressPrefixes: [addresses] }
    subnets: [
      {
        name: 'app'
        properties: {
          // Room for instances: each takes a part of an address, and an update needs some twice.
          addressPrefix: cidrSubnet(addresses, 24, 0)
          // Telemetry leaves through it.
          defaultOutboundAccess: true
          delegations: [{ name: 'flex', properties: { serviceName: 'Microsoft.App/environments' } }]
        }
      }
      {
        name: 'endpoints'
        // Behind those of the app.
        properties: { addressPrefix: cidrSubnet(addresses, 27, 8), defaultOutboundAccess: false }
      }
    ]
  }

  resource app 'subnets' existing = { name: 'app' }

  resource endpoints 'subnets' existing = { name: 'endpoints' }
}

resource zones 'Microsoft.Network/privateDnsZones@2024-06-01' = [
  for zoneName in zoneNames: {
    name: zoneName
    location: 'global'
    tags: tags
  }
]

resource links 'Microsoft.Network/privateDnsZones/virtualNetworkLinks@2024-06-01' = [
  for (zoneName, index) in zoneNames: {
    parent: zones[index]
    name: name
    location: 'global'
    tags: tags
    properties: { registrationEnabled: false, virtualNetwork: { id: network.id } }
  }
]

output appSubnetId string = network::app.id
output endpointSubnetId string = network::endpoints.id
