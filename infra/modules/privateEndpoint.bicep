// An address in the network for a service, and the name it goes by.
import { tags as tagsType } from '../options.bicep'

param name string
param location string
param tags tagsType
param subnetId string
param serviceId string

@description('What of the service, such as blob.')
param groupId string
param zoneName string

resource zone 'Microsoft.Network/privateDnsZones@2024-06-01' existing = {
  name: zoneName
}

resource endpoint 'Microsoft.Network/privateEndpoints@2025-05-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    subnet: { id: subnetId }
    privateLinkServiceConnections: [
      { name: groupId, properties: { privateLinkServiceId: serviceId, groupIds: [groupId] } }
    ]
  }

  resource names 'privateDnsZoneGroups' = {
    name: 'default'
    properties: {
      privateDnsZoneConfigs: [{ name: groupId, properties: { privateDnsZoneId: zone.id } }]
    }
  }
}
